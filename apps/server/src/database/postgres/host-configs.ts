import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { splitHosts } from '../../process/database-url.ts';
import { DatabaseFault } from '../database-fault.ts';
import { reasonOf } from '../reason.ts';

export interface PostgresLocation {
  readonly url: string;
  /** Reads the URL again for the password of each new connection. */
  readonly readUrl?: (() => string) | undefined;
}

/**
 * Returns the configuration of each host of a URL.
 * @throws DatabaseFault when a certificate is missing, for example
 */
export function hostConfigs({ url, readUrl }: PostgresLocation): pg.ClientConfig[] {
  try {
    return splitHosts(url).map((hostUrl) => {
      // `petstore copy` finds running servers by this name.
      const config = { ...parse(hostUrl), application_name: 'petstore' };
      return readUrl === undefined ? config : { ...config, password: () => passwordOf(readUrl()) };
    });
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

/** All hosts have the same password. The type of pg would also allow a function, hence `String`. */
const passwordOf = (url: string): string => String(parse(splitHosts(url)[0] ?? '').password ?? '');
