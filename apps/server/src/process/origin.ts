/** The loopback address to call when a server listens on a wildcard address. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The origin at which this machine calls a server that listens on an address. */
export function originOf(host: string, port: number): string {
  const callable = CALLABLE[host] ?? host;
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`;
}
