/** How far from the end of the list the next page is requested, in heights of the window. */
const LOOKAHEAD = '150%';

/** How many pages are appended: a list without end would fill the memory of a phone. */
const MAX_PAGES = 40;

const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000];

/** Appends the next page when the reader comes near the end of the list. */
export function appendPages(): void {
  const pages = document.querySelector('.pages');
  const first = pages?.querySelector<HTMLElement>('.animals-page');
  if (!pages || !first) return;
  watch(first);
  let count = 1;

  const nearEnd = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
        nearEnd.unobserve(target);
        void append(target);
      }
    },
    { rootMargin: `0px 0px ${LOOKAHEAD} 0px` },
  );
  observeEnd(first);

  function observeEnd(page: HTMLElement): void {
    const link = nextLink(page);
    if (link && count < MAX_PAGES) nearEnd.observe(link);
  }

  /** Puts the page that a link leads to in the place of the link. The link keeps working meanwhile. */
  async function append(link: HTMLAnchorElement, attempt = 0): Promise<void> {
    link.setAttribute('aria-busy', 'true');
    const page = await fetchPage(link.href);
    if (page === undefined) {
      const delay = RETRY_DELAYS_MS[attempt] ?? RETRY_DELAYS_MS.at(-1);
      link.dataset.failed = '';
      setTimeout(append, delay, link, attempt + 1);
      return;
    }
    link.parentElement?.remove();
    pages?.append(page);
    count += 1;
    watch(page);
    announce();
    observeEnd(page);
  }

  /** Tells those who do not see it. */
  function announce(): void {
    const loaded = document.querySelector('#loaded');
    if (loaded) loaded.textContent = `${pages?.querySelectorAll('.animal').length} animals are shown.`;
  }
}

const nextLink = (page: ParentNode) => page.querySelector<HTMLAnchorElement>('a[rel=next]');

/** The list of a page, as the server renders it. */
async function fetchPage(url: string): Promise<HTMLElement | undefined> {
  try {
    const response = await fetch(url);
    if (!response.ok) return undefined;
    const { body } = new DOMParser().parseFromString(await response.text(), 'text/html');
    return body.querySelector<HTMLElement>('.animals-page') ?? undefined;
  } catch {
    return undefined;
  }
}

/** The page that crosses a line below the top of the window is the one that the URL names. */
const inView = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      // A reload begins with that page, at the top.
      history.scrollRestoration = 'manual';
      history.replaceState(history.state, '', target.dataset.path);
    }
  },
  { rootMargin: '-30% 0px -70% 0px' },
);

function watch(page: HTMLElement): void {
  inView.observe(page);
}
