/**
 * Parses an HTTP date (RFC 9110, section 5.6.7). `Date.parse` alone would also accept `1.5`.
 *
 * @returns milliseconds since 1970, or `undefined` when the value is not a date
 */
export function parseHttpDate(value: string | null): number | undefined {
  return value?.endsWith(' GMT') ? Date.parse(value) || undefined : undefined;
}
