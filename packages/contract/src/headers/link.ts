/**
 * The Link header (RFC 8288), as far as this interface uses it.
 * This file imports nothing, so that a client can use it without the schemas.
 */

export interface Link {
  /** A URI reference, absolute or relative to the URL of the request. */
  target: string;
  rel: string;
  type?: string;
}

// A target, or a parameter with a quoted or a plain value. Text between them is skipped.
const PART = /<([^<>]*)>|;\s*([^\s=;,"<]+)\s*=?\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<]*))/g;

export function formatLinks(links: readonly Link[]): string {
  const format = ({ target, rel, type }: Link) =>
    `<${target}>; rel="${rel}"${type ? `; type="${type}"` : ''}`;
  return links.map(format).join(', ');
}

/**
 * Finds the target of the first link with the given relation type in the value of a Link header.
 * @returns the URI reference as written, or `undefined` when there is no such link.
 */
export function findLink(header: string | null | undefined, rel: string): string | undefined {
  let target: string | undefined;
  // The first `rel` of a link counts, later ones do not (RFC 8288, section 3.3).
  let types: string | undefined;
  for (const [, uri, name = '', quoted, token = ''] of (header ?? '').matchAll(PART)) {
    if (uri !== undefined) {
      target = uri;
      types = undefined;
    } else if (name.toLowerCase() === 'rel') {
      types ??= (quoted ?? token).toLowerCase();
      if (types.split(/\s+/).includes(rel)) return target;
    }
  }
  return undefined;
}
