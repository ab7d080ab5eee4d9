/** What the pages of the catalogue do better with JavaScript. Without it they work all the same. */

const form = document.querySelector<HTMLFormElement>('form[method=post]');
if (form) sendOnce(form);

const notice = document.querySelector('[data-retry]');
if (notice) goOnWhenAvailable(notice);

/** Sends a form once, however often the button is pressed, and shows that it is on its way. */
function sendOnce(form: HTMLFormElement): void {
  const button = form.querySelector('button');
  const reset = () => button?.removeAttribute('aria-busy');
  form.addEventListener('submit', (event) => {
    if (button?.ariaBusy) event.preventDefault();
    else button?.setAttribute('aria-busy', 'true');
    // The user may have stopped the browser.
    setTimeout(reset, 15_000);
  });
  // Shown again by Back.
  addEventListener('pageshow', reset);
}

/** On a page that reports that the pet store is away: sends its form, or loads it again, as soon as it is back. */
function goOnWhenAvailable(notice: Element): void {
  const { textContent } = notice;
  let delayMs = 3_000;
  let isChanged = false;
  notice.textContent = 'This page tries again by itself.';
  setTimeout(check, delayMs);

  // In the background, so that the page that is read does not flicker.
  async function check(): Promise<void> {
    const response = await fetch(form ? '/animals' : location.href).catch(() => undefined);
    delayMs = Math.min(1.5 * delayMs, 30_000);
    if (isChanged) return;
    if (response === undefined || response.status === 503) setTimeout(check, delayMs);
    else if (form) form.requestSubmit();
    else location.reload();
  }

  // What the user changes, the user sends.
  form?.addEventListener('input', () => {
    isChanged = true;
    notice.textContent = textContent;
  });
}
