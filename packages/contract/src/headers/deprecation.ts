import { formatLinks } from './link.ts';

export interface Deprecation {
  since: Date;
  sunset: Date;
  /** The path that replaces the deprecated one, with its version prefix: `/v2/pets`. */
  successor: string;
}

/**
 * The headers that announce a deprecation: Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288).
 * @param documentation URL of the documentation page
 * @param root the service's URL without a version prefix; '' for relative links
 */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  { documentation, root }: { documentation: string; root: string },
) {
  return {
    Deprecation: `@${since.getTime() / 1000}`,
    Sunset: sunset.toUTCString(),
    Link: formatLinks([
      { target: documentation, rel: 'deprecation', type: 'text/html' },
      { target: root + successor, rel: 'successor-version' },
    ]),
  };
}
