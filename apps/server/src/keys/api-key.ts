import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Scope } from '@petstore/contract';

export interface ApiKey {
  readonly name: string;
  /** Keys with the same owner share their Idempotency-Keys. A rotated key keeps its owner. */
  readonly owner: string;
  readonly scope: Scope;
  /** The limit for all keys of this owner together; `undefined` for no limit. */
  readonly rateLimit: RateLimit | undefined;
}

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export const PREFIX = 'pst_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of base62 are 190 bits. */
const SECRET_LENGTH = 32;
/** 6 characters of base62 hold the 32 bits of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** Generates an API key: a prefix that secret scanners can look for, random base62, and a checksum. */
export function generateApiKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  return PREFIX + secret + checksum(secret);
}

/** Whether a text has the form and checksum of an issued key: most typing errors need no query. */
export function isWellFormedApiKey(text: string): boolean {
  const [, secret = '', sum] = FORM.exec(text) ?? [];
  return sum === checksum(secret);
}

/** Keys are stored and compared by this digest. It needs no salt, because the key is random. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'base64url');

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
