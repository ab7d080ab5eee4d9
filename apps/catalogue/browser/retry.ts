/** The longest delay between two attempts. */
const MAX_DELAY_MS = 30_000;

/** On a page that reports that the pet store is away: loads it again as soon as the pet store is back. */
export function reloadWhenAvailable(): void {
  const { retryDelay } = document.querySelector('main')?.dataset ?? {};
  if (retryDelay !== undefined) setTimeout(check, Number(retryDelay), Number(retryDelay));
}

/** Asks in the background, so that the page that is read does not flicker. */
async function check(delayMs: number): Promise<void> {
  const isAvailable = await fetch(location.href).then(
    ({ status }) => status !== 503,
    () => false,
  );
  if (isAvailable) return location.reload();
  const next = Math.min(delayMs * 1.5, MAX_DELAY_MS);
  setTimeout(check, next, next);
}
