import { formatLinks } from './link.ts';

/** What a caller of a deprecated operation is told. */
export interface Deprecation {
  /** When the operation became deprecated. */
  since: Date;
  /** When it is to be removed. */
  sunset: Date;
  /** The path under the base address that replaces it. */
  successor: string;
}

/** getPet is deprecated and is to be removed on 5 December 2030 (interface: getPet, Versioning). */
export const getPetDeprecation: Deprecation = {
  // The interface gives no date for this one; five years' notice is what we gave.
  since: new Date('2025-12-05T00:00:00Z'),
  sunset: new Date('2030-12-05T00:00:00Z'),
  successor: '/pets',
};

/**
 * The header fields that announce a deprecation: Deprecation (RFC 9745), Sunset (RFC 8594), and links
 * to the documentation and to the successor.
 *
 * @param documentation address of the documentation page
 * @param baseUrl base address that the successor's path is appended to
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
