import { encodeCursor, formatLinks, type Int64, type PetStatus, v1 } from '@petstore/contract';

/**
 * The addresses that answers point to: relative references, or absolute ones when the configuration
 * names the public base address. They are never made from the Host header, which the caller chooses.
 */
export class Addresses {
  readonly base: string;
  readonly docs: string;

  /** @param publicBaseUrl base address with the version prefix */
  constructor(publicBaseUrl: string = v1.prefix) {
    this.base = publicBaseUrl;
    this.docs = `${publicBaseUrl.slice(0, -v1.prefix.length)}/docs`;
  }

  /** The address of an animal. */
  pet(id: Int64): string {
    return `${this.base}/pets/${id}`;
  }

  /** The Link field that leads to the page after this id (RFC 8288). */
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
