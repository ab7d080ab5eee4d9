import { encodeCursor, formatLinks, type Int64, type PetStatus, v1 } from '@petstore/contract';

/**
 * The URLs in responses: relative references, or absolute ones when the configuration has a public base
 * URL. They never follow from the Host header, which the caller chooses.
 */
export class Urls {
  readonly base: string;
  readonly docs: string;

  /** @param publicBaseUrl with the version prefix */
  constructor(publicBaseUrl: string = v1.prefix) {
    this.base = publicBaseUrl;
    this.docs = `${publicBaseUrl.slice(0, -v1.prefix.length)}/docs`;
  }

  /** The URL of a pet. */
  pet(id: Int64): string {
    return `${this.base}/pets/${id}`;
  }

  /** The Link header to the page after this id (RFC 8288). */
  nextPage({
    limit,
    after,
    status,
  }: {
    limit: number;
    after: Int64;
    status?: PetStatus | undefined;
  }): string {
    const target = `${this.base}/pets?limit=${limit}&cursor=${encodeCursor({ after, status })}`;
    return formatLinks([{ target, rel: 'next' }]);
  }
}
