const AUTHORITY = /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/;

/** What a connection must lead to, as libpq's `target_session_attrs` says. */
const TARGETS = ['any', 'read-write', 'primary'] as const;

/** The servers that a URL names, as libpq and pgjdbc read it: `postgres://user:password@a,b:5433/db`. */
export interface Hosts {
  /** A URL for each host, in their order. */
  readonly urls: readonly string[];
  /** Whether only the primary among them will do. @default with several hosts */
  readonly isPrimaryWanted: boolean;
}

/** @returns `undefined` when the URL names no server in a form that can be used */
export function parseHosts(url: string): Hosts | undefined {
  const [, scheme, credentials = '', hosts = '', rest = ''] = AUTHORITY.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const urls = hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`);
  if (!urls.every((one) => URL.canParse(one))) return undefined;
  const target = new URL(urls[0] ?? '').searchParams.get('target_session_attrs');
  if (target !== null && !TARGETS.some((known) => known === target)) return undefined;
  return { urls, isPrimaryWanted: target === null ? urls.length > 1 : target !== 'any' };
}
