/** Improves the pages of the catalogue, which also work without JavaScript. */
import { retryText } from '../src/retry-text.ts';

/** How long Add stays busy: longer than the default of PETSTORE_TIMEOUT_MS. A user may have stopped the loading. */
const SUBMIT_MS = 15_000;

/** Each pause is longer than the one before, but short enough for a user who waits. */
const BACKOFF = { factor: 1.5, maxSeconds: 30 };

const form = document.querySelector<HTMLFormElement>('form[method=post]');
if (form) sendOnce(form);

const notice = document.querySelector<HTMLElement>('[data-retry]');
if (notice) retryWhenAvailable(notice);

/** Sends a form once, however often the button is pressed, and shows that it is being sent. */
function sendOnce(form: HTMLFormElement): void {
  const button = form.querySelector('button');
  const reset = () => button?.removeAttribute('aria-busy');
  form.addEventListener('submit', (event) => {
    if (button?.ariaBusy) {
      event.preventDefault();
      return;
    }
    button?.setAttribute('aria-busy', 'true');
    setTimeout(reset, SUBMIT_MS);
  });
  // The Back button shows the page as the user left it.
  addEventListener('pageshow', reset);
}

/** On a page that reports a failure of the pet store: submits the form or reloads, once the store is available. */
function retryWhenAvailable(notice: HTMLElement): void {
  const { textContent } = notice;
  let backoff = Number(notice.dataset.retry);
  let isChanged = false;
  waitFor(backoff);

  function waitFor(seconds: number): void {
    notice.textContent = `This page tries again by itself ${retryText(seconds)}.`;
    setTimeout(check, seconds * 1_000);
  }

  // Requests in the background do not disturb a user who reads the page.
  async function check(): Promise<void> {
    if (isChanged) return;
    const response = await fetch(form ? '/animals' : location.href).catch(() => undefined);
    if (isChanged) return;
    const { status = 503, headers } = response ?? {};
    // Another 5xx without a request id comes from a proxy: the catalogue is away.
    if (status < 500 || (status !== 503 && headers?.has('x-request-id'))) {
      if (form) form.requestSubmit();
      else location.reload();
      return;
    }
    backoff = Math.min(BACKOFF.factor * backoff, BACKOFF.maxSeconds);
    // A date, as a proxy may send it, is no number. A delay of more than 24 days would exceed the longest timer.
    const retryAfter = Math.min(Number(headers?.get('retry-after')) || 0, 86_400);
    waitFor(Math.ceil(Math.max(backoff, retryAfter)));
  }

  // A user who has changed the form submits it.
  form?.addEventListener('input', () => {
    isChanged = true;
    notice.textContent = textContent;
  });
}
