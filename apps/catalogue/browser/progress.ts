/** Shows a bar at the top while the next page is on its way. The style delays it: fast pages never show it. */
export function showProgress(): void {
  const root = document.documentElement;
  // Links and forms alike. A page that is shown again, by Back, has nothing on its way.
  addEventListener('beforeunload', () => root.classList.add('loading'));
  addEventListener('pageshow', () => root.classList.remove('loading'));
}
