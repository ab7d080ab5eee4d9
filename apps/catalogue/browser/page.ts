/** Improves the pages of the catalogue, which also work without JavaScript. */

const form = document.querySelector<HTMLFormElement>('form[method=post]');
if (form) sendOnce(form);

const notice = document.querySelector('[data-retry]');
if (notice) retryWhenAvailable(notice);

/** Sends a form once, however often the button is pressed, and shows that it is being sent. */
function sendOnce(form: HTMLFormElement): void {
  const button = form.querySelector('button');
  const reset = () => button?.removeAttribute('aria-busy');
  form.addEventListener('submit', (event) => {
    if (button?.ariaBusy) event.preventDefault();
    else button?.setAttribute('aria-busy', 'true');
    // The user may have stopped the loading of the page.
    setTimeout(reset, 15_000);
  });
  // The Back button shows the page as the user left it.
  addEventListener('pageshow', reset);
}

/** On a page that reports an unavailable pet store: submits the form or reloads, once the store is available. */
function retryWhenAvailable(notice: Element): void {
  const { textContent } = notice;
  let delayMs = 3_000;
  let isChanged = false;
  notice.textContent = 'This page tries again by itself.';
  setTimeout(check, delayMs);

  // Requests in the background do not disturb a user who reads the page.
  async function check(): Promise<void> {
    const response = await fetch(form ? '/animals' : location.href).catch(() => undefined);
    delayMs = Math.min(1.5 * delayMs, 30_000);
    if (isChanged) return;
    if (response === undefined || response.status === 503) setTimeout(check, delayMs);
    else if (form) form.requestSubmit();
    else location.reload();
  }

  // A user who has changed the form submits it.
  form?.addEventListener('input', () => {
    isChanged = true;
    notice.textContent = textContent;
  });
}
