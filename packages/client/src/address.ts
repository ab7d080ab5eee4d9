type Parameter = string | number | bigint;

/**
 * The address of an operation.
 *
 * @param baseUrl the base address, which already includes the version prefix (interface: Versioning)
 * @param path a path of the contract below it, with its parameters as `:name`
 */
export function addressOf(
  baseUrl: string,
  path: string,
  { params = {}, query = {} }: { params?: Record<string, Parameter>; query?: object } = {},
): URL {
  const address = new URL(baseUrl);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(`${params[name]}`));
  address.pathname = address.pathname.replace(/\/$/, '') + filled;
  address.search = '';
  address.hash = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, `${value}`);
  }
  return address;
}
