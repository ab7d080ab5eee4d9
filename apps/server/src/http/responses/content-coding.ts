/** A content coding (RFC 9110, 8.4.1). */
export type Coding = 'br' | 'gzip';

const ELEMENT = /^\s*([\w-]+|\*)\s*(?:;\s*q=([\d.]+)\s*)?$/i;

/**
 * Chooses the coding of a response (RFC 9110, 12.5.3).
 *
 * @param header the Accept-Encoding of the request
 * @param available the best one first
 * @returns the first of those that the header weighs most; `undefined` for none, which every caller takes
 */
export function chooseCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  const weights = new Map<string, number>();
  for (const element of (header ?? '').split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = available.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}
