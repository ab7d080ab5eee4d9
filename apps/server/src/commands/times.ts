import type { Int64 } from '@petstore/contract';
import { InvalidArgumentError } from 'commander';

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DURATION = /^([1-9]\d{0,4})([smhdw])$/;

/**
 * Parses a duration such as `90d` or `24h`.
 * @returns milliseconds
 * @throws InvalidArgumentError when the text is not a duration
 */
export function parseDuration(text: string): number {
  const [, amount, unit = ''] = DURATION.exec(text) ?? [];
  const factor = UNITS_MS[unit];
  if (factor !== undefined) return Number(amount) * factor;
  throw new InvalidArgumentError(
    `"${text}" is not a duration: 1-99999 and one of s, m, h, d, w, such as 24h`,
  );
}

/** @returns the end of a duration from now, in milliseconds since 1970 */
export const parseExpiry = (text: string): number => Date.now() + parseDuration(text);

export const formatMinute = (time: Int64) => `${new Date(Number(time)).toISOString().slice(0, 16)}Z`;

export const formatIso = (time: Int64 | null) =>
  time === null ? null : new Date(Number(time)).toISOString();
