import { type Cursor, encodeCursor, formatLinks, type Int64, v1 } from '@petstore/contract';

/** The URLs in responses: absolute with a public base URL, otherwise relative. The caller chooses the Host header. */
export class Urls {
  /** Without a version prefix. */
  readonly root: string;
  readonly base: string;

  /** @param publicBaseUrl with the prefix of version 1, whatever the version */
  constructor(prefix: string, publicBaseUrl: string = v1.prefix) {
    this.root = publicBaseUrl.slice(0, -v1.prefix.length);
    this.base = this.root + prefix;
  }

  pet(id: Int64): string {
    return `${this.base}/pets/${id}`;
  }

  /** The Link header to the page after this id (RFC 8288). */
  nextPage({ limit, ...cursor }: Cursor & { limit: number }): string {
    const target = `${this.base}/pets?limit=${limit}&cursor=${encodeCursor(cursor)}`;
    return formatLinks([{ target, rel: 'next' }]);
  }
}
