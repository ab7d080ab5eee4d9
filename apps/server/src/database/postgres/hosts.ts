const AUTHORITY = /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/;

/** What libpq's parameters may say here. */
const SUPPORTED = {
  target_session_attrs: ['any', 'read-write', 'primary'],
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'],
};

/**
 * Splits a URL with several hosts, as libpq and pgjdbc read it: `postgres://user:password@a,b:5433/db`.
 *
 * @returns a URL for each host, in their order; none when the URL names no server in a form that can be used
 */
export function splitHosts(url: string): string[] {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = AUTHORITY.exec(url) ?? [];
  const urls = hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`);
  const isUsable = urls.every((one) => {
    const { searchParams } = URL.parse(one) ?? {};
    return Object.entries(SUPPORTED).every(([name, values]) =>
      searchParams?.getAll(name).every((value) => values.includes(value)),
    );
  });
  return isUsable ? urls : [];
}
