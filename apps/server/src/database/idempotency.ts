import { hash } from 'node:crypto';

/** What makes a repetition of an addition recognisable. */
export interface Idempotency {
  /** Of any length. */
  readonly key: string;
  /**
   * The first 64 bits of SHA-256 of what was asked for. It is compared with that of the request that used the key first,
   * and with no other: a caller that sends another request with a used key gets the row of the first in place of a
   * refusal once in 2^64 times.
   */
  readonly fingerprint: bigint;
}

/** Records tell the minute in which they were made. */
export const MS_PER_MINUTE = 60_000;

/**
 * The key of a record: the first 128 bits of SHA-256, in hexadecimal. That two of 100 million keys have the same has
 * the probability 2^-76.
 */
export const digestKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);
