import { resolve } from 'node:path';
import { z } from 'zod';

/** Scheme, credentials, hosts, and the rest of a URL. `URL` accepts no list of hosts. */
const POSTGRES_URL = /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/;

/** The values that URL parameters may have. Other parameters are not checked. */
const SUPPORTED_VALUES = {
  target_session_attrs: ['any', 'read-write', 'primary'],
  sslmode: ['disable', 'require', 'verify-ca', 'verify-full'],
};

/**
 * Splits a URL with several hosts, as libpq and pgjdbc define it: `postgres://user:password@a,b:5433/db`.
 * @returns a URL for each host, in the same order; none for an invalid URL or parameter
 */
export function splitHosts(url: string): string[] {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = POSTGRES_URL.exec(url) ?? [];
  const urls = hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`);
  const isUsable = urls.every((hostUrl) => {
    const parsed = URL.parse(hostUrl);
    if (parsed === null) return false;
    return Object.entries(SUPPORTED_VALUES).every(([name, values]) =>
      parsed.searchParams.getAll(name).every((value) => values.includes(value)),
    );
  });
  return isUsable ? urls : [];
}

export type DatabaseUrl = z.output<typeof DatabaseUrl>;
export const DatabaseUrl = z.union(
  [
    z
      .string()
      // A path without white space around it. Each connection to `:memory:` would have a database of its own.
      .regex(/^sqlite:(?!:memory:)\S(?:.*\S)?$/)
      .transform((url) => ({ engine: 'sqlite' as const, file: resolve(url.slice('sqlite:'.length)) })),
    z
      .string()
      .refine((url) => splitHosts(url).length > 0)
      .transform((url) => ({ engine: 'postgres' as const, url })),
  ],
  'must be sqlite:<file> or postgres://<user>:<password>@<host>:<port>,…/<database>, with %23 for # in a password, %2F for / and %3F for ?; target_session_attrs must be any, read-write or primary, and sslmode disable, require, verify-ca or verify-full',
);
