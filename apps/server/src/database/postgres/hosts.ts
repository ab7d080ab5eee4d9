const AUTHORITY = /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/;

/** What a connection must lead to, as libpq's `target_session_attrs` says. */
const TARGETS = ['any', 'read-write', 'primary'] as const;

/**
 * Splits a URL with several hosts, as libpq and pgjdbc read it: `postgres://user:password@a,b:5433/db`.
 *
 * @returns a URL for each host, in their order; `undefined` when the URL names no server in a form that can be used
 */
export function parseHosts(url: string): readonly string[] | undefined {
  const [, scheme, credentials = '', hosts = '', rest = ''] = AUTHORITY.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const urls = hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`);
  if (!urls.every((one) => URL.canParse(one))) return undefined;
  const target = new URL(urls[0] ?? '').searchParams.get('target_session_attrs');
  return target === null || TARGETS.some((known) => known === target) ? urls : undefined;
}
