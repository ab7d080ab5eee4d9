/** How far below the window the end of the list may be when the next page is requested. */
const LOOKAHEAD = '150%';

/** How many pages the list grows to: one without end would fill the memory of a phone. */
const MAX_PAGES = 40;

/** Before each further attempt to load a page; the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000];

/** Appends the next page whenever the reader comes near the end of the list. */
export function appendPages(): void {
  const list = document.querySelector('.pages');
  const first = list?.querySelector<HTMLElement>('.animals-page');
  if (!list || !first) return;

  const nearEnd = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
        nearEnd.unobserve(target);
        void append(target);
      }
    },
    { rootMargin: `0px 0px ${LOOKAHEAD}` },
  );
  const nameInUrl = createUrlUpdater(first);
  watch(first);

  function watch(page: HTMLElement): void {
    nameInUrl(page);
    const link = page.querySelector('a[rel=next]');
    if (link && list && list.childElementCount < MAX_PAGES) nearEnd.observe(link);
  }

  /** Puts the page that a link leads to after its own. The link works meanwhile. */
  async function append(link: HTMLAnchorElement, attempt = 0): Promise<void> {
    link.setAttribute('aria-busy', 'true');
    const page = await fetchPage(link.href);
    if (page) {
      link.parentElement?.remove();
      list?.append(page);
      watch(page);
      announce(`${document.querySelectorAll('.animal').length} animals are shown.`);
      return;
    }
    link.dataset.failed = '';
    announce('The next page could not be loaded. Trying again.');
    setTimeout(append, RETRY_DELAYS_MS[attempt] ?? RETRY_DELAYS_MS.at(-1), link, attempt + 1);
  }
}

/** Tells users of a screen reader. */
function announce(text: string): void {
  const status = document.querySelector('#list-status');
  if (status) status.textContent = text;
}

/** The list of a page, as the server renders it. */
async function fetchPage(url: string): Promise<HTMLElement | null> {
  try {
    const response = await fetch(url);
    if (!response.ok) return null;
    const { body } = new DOMParser().parseFromString(await response.text(), 'text/html');
    return body.querySelector<HTMLElement>('.animals-page');
  } catch {
    return null;
  }
}

/** Keeps the URL that of the page in view: a reload, or a link that is sent to a colleague, shows that page. */
function createUrlUpdater(first: HTMLElement): (page: HTMLElement) => void {
  let current = first;
  const wayToForm = document.querySelector<HTMLAnchorElement>('a[href^="/animals/new"]');
  const inView = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting || target === current || !(target instanceof HTMLElement)) continue;
        current = target;
        // A reload shows this page alone: how far down it was among the others means nothing then.
        history.scrollRestoration = 'manual';
        history.replaceState(history.state, '', target.dataset.path);
        // Cancel in the form leads back to this page.
        if (wayToForm) wayToForm.search = location.search;
      }
    },
    // A line in the upper third of the window.
    { rootMargin: '-30% 0px -70%' },
  );
  return (page) => inView.observe(page);
}
