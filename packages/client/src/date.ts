/**
 * Reads an HTTP date (RFC 9110, section 5.6.7); `Date.parse` alone would take `1.5` for one too.
 *
 * @returns milliseconds since 1970, or `undefined` when the field is absent or no date
 */
export function parseDate(field: string | null): number | undefined {
  return field?.endsWith(' GMT') ? Date.parse(field) || undefined : undefined;
}
