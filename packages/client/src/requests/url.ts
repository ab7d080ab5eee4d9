/**
 * Builds the URL of an operation.
 *
 * @param baseUrl the base address, which includes the version prefix (interface: Versioning)
 * @param path a path of the contract below it, with its parameters as `:name`
 */
export function buildUrl(
  baseUrl: string,
  path: string,
  query: object = {},
  params: Record<string, number | bigint | string> = {},
): URL {
  const url = new URL(baseUrl);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(`${params[name]}`));
  url.pathname = url.pathname.replace(/\/$/, '') + filled;
  url.search = '';
  url.hash = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, `${value}`);
  }
  return url;
}
