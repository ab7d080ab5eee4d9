/** The header that makes a creation safe to repeat (IETF draft). */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/** 128 random bits. `crypto.randomUUID` would be shorter, but pages that came over plain HTTP lack it. */
export function randomIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
