/** Shows a bar at the top while the next page is on its way. The style delays it: fast pages never show it. */
export function showProgress(): void {
  const { classList } = document.documentElement;
  // Not `beforeunload`: with a listener to it, some browsers do not keep the page for Back.
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="/"]');
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (link && !opensElsewhere) classList.add('loading');
  });
  addEventListener('submit', ({ defaultPrevented }) => {
    if (!defaultPrevented) classList.add('loading');
  });
  // A page that is shown again, by Back, has nothing on its way.
  addEventListener('pageshow', () => classList.remove('loading'));
}
