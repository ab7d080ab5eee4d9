/**
 * The Link header (RFC 8288), as far as this interface uses it.
 * This file imports nothing, so that a client can use it without the schemas.
 */

export interface Link {
  /** A URI reference, absolute or relative to the URL of the request. */
  target: string;
  rel: string;
  /** Media type of the target. */
  type?: string;
}

// Each run of spaces can match in one place only: otherwise hostile input would take exponential time.
const LINK_VALUE =
  /<([^>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)\s*(?:$|(?:,\s*)+)/gy;
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?/g;

/** Formats the value of a Link header. */
export function formatLinks(links: readonly Link[]): string {
  return links
    .map(
      ({ target, rel, type }) => `<${target}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`,
    )
    .join(', ');
}

/**
 * Finds the target of the first link with the given relation type in the value of a Link header.
 *
 * @returns the URI reference as written, or `undefined` when there is no such link.
 */
export function findLink(header: string | null | undefined, rel: string): string | undefined {
  for (const [, target, parameters = ''] of (header ?? '').trim().matchAll(LINK_VALUE)) {
    if (relationTypes(parameters).includes(rel)) return target;
  }
  return undefined;
}

/** The relation types of a link: its first `rel` counts, later ones do not (RFC 8288, section 3.3). */
function relationTypes(parameters: string): string[] {
  for (const [, name = '', quoted, token] of parameters.matchAll(PARAMETER)) {
    if (name.toLowerCase() === 'rel') return (quoted ?? token ?? '').toLowerCase().split(/\s+/);
  }
  return [];
}
