import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { splitHosts } from '../../process/database-url.ts';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';

export interface PostgresLocation {
  readonly url: string;
  /** Reads the URL again for the password of each new connection. All hosts have the same password. */
  readonly readUrl?: (() => string) | undefined;
}

/**
 * Returns the configuration of each host of a URL.
 * @throws DatabaseFault when a certificate is missing, for example
 */
export function hostConfigs({ url, readUrl }: PostgresLocation): pg.ClientConfig[] {
  try {
    // `petstore copy` finds running servers by this name.
    const hosts = splitHosts(url).map((hostUrl) => ({ ...parse(hostUrl), application_name: 'petstore' }));
    if (readUrl === undefined) return hosts;
    let known: pg.ClientConfig = { ...hosts[0] };
    const password = () => {
      const read = parse(splitHosts(readUrl())[0] ?? '');
      // The user changes only at the next start, and so does its password.
      if (read.user === known.user) known = read;
      // The type of pg would also allow a function.
      return String(known.password ?? '');
    };
    return hosts.map((host) => ({ ...host, password }));
  } catch (error) {
    throw new DatabaseFault(reasonOf(error));
  }
}

function parse(url: string): pg.ClientConfig {
  const parsed = new URL(url);
  // `sslmode` means what it means to libpq: `require` encrypts, `verify-full` also checks the server's name.
  parsed.searchParams.set('uselibpqcompat', 'true');
  return parseIntoClientConfig(parsed.href);
}
