import { type Cursor, encodeCursor, formatLinks, v1 } from '@petstore/contract';

/** Makes the URLs in responses. They are relative without a public base URL, because a caller can forge Host. */
export class Urls {
  /** The public base URL without a version prefix; empty for relative URLs. */
  readonly root: string;
  readonly base: string;

  /** @param publicBaseUrl as configured: it ends with `/v1`, also for later versions */
  constructor(prefix: string, publicBaseUrl?: string) {
    this.root = publicBaseUrl?.slice(0, -v1.prefix.length) ?? '';
    this.base = this.root + prefix;
  }

  /** The Link header to the page after this cursor (RFC 8288). */
  nextPage(path: string, { limit, ...cursor }: Cursor & { limit: number }): string {
    const target = `${this.base}${path}?limit=${limit}&cursor=${encodeCursor(cursor)}`;
    return formatLinks([{ target, rel: 'next' }]);
  }
}
