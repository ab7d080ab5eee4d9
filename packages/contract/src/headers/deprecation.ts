import { formatLinks } from './link.ts';

/** What callers of a deprecated operation are told. */
export interface Deprecation {
  /** When the operation became deprecated. */
  since: Date;
  /** When it is to be removed. */
  sunset: Date;
  /** The path below the base URL that replaces it. */
  successor: string;
}

/**
 * The headers that announce a deprecation: Deprecation (RFC 9745), Sunset (RFC 8594), and links to the
 * documentation and to the successor.
 *
 * @param documentation URL of the documentation page
 * @param baseUrl base URL that the successor's path is appended to
 */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  { documentation, baseUrl }: { documentation: string; baseUrl: string },
) {
  return {
    Deprecation: `@${since.getTime() / 1000}`,
    Sunset: sunset.toUTCString(),
    Link: formatLinks([
      { target: documentation, rel: 'deprecation', type: 'text/html' },
      { target: baseUrl + successor, rel: 'successor-version' },
    ]),
  };
}
