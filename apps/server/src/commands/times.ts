import type { Int64 } from '@petstore/contract';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DURATION = /^(?<amount>[1-9]\d{0,4})(?<unit>[smhdw])$/;

/** `Date.parse` alone would take 31 February for 3 March. zod requires seconds, which `precision: -1` excludes. */
const Time = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true, precision: -1 }),
  z.iso.datetime({ offset: true }),
]);

/**
 * Parses a duration such as `90d` or `24h`.
 * @returns milliseconds
 * @throws InvalidArgumentError when the text is not a duration
 */
export function parseDuration(text: string): number {
  const milliseconds = durationOf(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError(
    `"${text}" is not a duration: a number and one of s, m, h, d, w, such as 24h`,
  );
}

/**
 * Parses a time in the future: a duration from now, a date (its beginning in UTC), or a date and time with a time zone.
 * @returns milliseconds since 1970
 * @throws InvalidArgumentError when the text is not a time, or the time is not in the future
 */
export function parseExpiry(text: string): number {
  const now = Date.now();
  const duration = durationOf(text);
  const time = duration === undefined ? Date.parse(Time.safeParse(text).data ?? '') : now + duration;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError(
      `"${text}" is not a time: a duration such as 90d, a date such as 2027-01-31, or 2027-01-31T12:00Z`,
    );
  }
  if (time <= now) throw new InvalidArgumentError(`"${text}" is not in the future`);
  return time;
}

function durationOf(text: string): number | undefined {
  const { amount, unit } = DURATION.exec(text)?.groups ?? {};
  const factor = Object.entries(UNITS_MS).find(([name]) => name === unit)?.[1];
  return factor && Number(amount) * factor;
}

export const formatMinute = (time: Int64) => `${new Date(Number(time)).toISOString().slice(0, 16)}Z`;

export const formatIso = (time: Int64 | null) =>
  time === null ? null : new Date(Number(time)).toISOString();
