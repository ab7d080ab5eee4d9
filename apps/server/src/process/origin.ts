/** The loopback address to call when a server listens on a wildcard address. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const callableHost = (host: string): string => CALLABLE[host] ?? host;

/** The origin at which this machine calls a server that listens on an address. */
export function originOf(host: string, port: number): string {
  const callable = callableHost(host);
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`;
}
