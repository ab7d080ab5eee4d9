/**
 * JSON without rounding: an integer beyond 2^53 − 1 is a number in JSON and a `bigint` in the program.
 * This file imports nothing, so that a client can use it without the schemas.
 */

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

// Every runtime we support has JSON source text access (ES2026), but TypeScript's library does not declare it yet.
interface SourceTextJson {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON?(text: string): unknown;
}
const sourceTextJson: SourceTextJson = JSON;

/** Only these numbers may lose digits in a double: 16 or more characters, an exponent, a minus before zero. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE]|-0/;

const NUMBER = /(-?\d+)\.?(\d*)e?(.*)/i;

/**
 * Returns an integer in its one form: a `number` when it is a safe integer, a `bigint` only beyond.
 */
export function normalizeInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Parses JSON (RFC 8259) without rounding integers: beyond 2^53 − 1 they become `bigint`.
 * As in JSON Schema, `5.0` and `5e0` are the integer 5. A fraction that a double cannot tell from
 * an integer becomes `NaN`, which no schema accepts as that integer.
 *
 * @throws SyntaxError when the text is not JSON; RangeError when it holds an unsafe integer
 *   and the runtime gives a reviver no access to the source text.
 */
export function parseJson(text: string): unknown {
  return MAY_BE_INEXACT.test(text) ? sourceTextJson.parse(text, exactNumber) : JSON.parse(text);
}

/**
 * Serializes a value as JSON in which a `bigint` is a plain JSON number.
 *
 * @throws TypeError for what JSON cannot hold (a function, `undefined`, a cycle), or for a `bigint` when
 *   the runtime lacks `JSON.rawJSON`.
 */
export function stringifyJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be written as JSON`);
  return text;
}

const exactNumber: Reviver = (_key, value, context) => {
  if (typeof value !== 'number') return value;
  const source = context?.source;
  if (source !== undefined) return Number.isInteger(value) ? exactInteger(source, value) : value;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`This runtime cannot read the integer ${value} exactly`);
  }
  return value;
};

/**
 * The integer that a JSON number's source text denotes, or `NaN` when the text denotes a fraction.
 *
 * @param rounded what JSON.parse made of the text. Only where this is 0 the exponent can be of any size.
 */
function exactInteger(source: string, rounded: number): number | bigint {
  const [, whole = '', fraction = '', exponent = ''] = NUMBER.exec(source) ?? [];
  const digits = BigInt(whole + fraction);
  if (rounded === 0) return digits === 0n ? 0 : Number.NaN;
  const scale = Number(exponent) - fraction.length;
  const power = 10n ** BigInt(Math.abs(scale));
  if (scale >= 0) return normalizeInteger(digits * power);
  return digits % power === 0n ? normalizeInteger(digits / power) : Number.NaN;
}

/**
 * `JSON.stringify` throws when it meets a `bigint`, so bigints are dealt with only then: a replacer, or a
 * search for bigints beforehand, makes a list of pets two to three times slower. Where an app gave BigInt
 * a `toJSON`, nothing throws and a bigint would become whatever that returns.
 */
function stringify(value: unknown): string | undefined {
  if ('toJSON' in BigInt.prototype) return JSON.stringify(value, rawBigInt);
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, rawBigInt);
  }
}

// Reads the property of the holder: where an app gave BigInt a `toJSON`, `converted` is what that returned.
function rawBigInt(this: unknown, key: string, converted: unknown): unknown {
  const value: unknown = Reflect.get(Object(this), key);
  return typeof value === 'bigint' ? rawInteger(value) : converted;
}

/**
 * Returns a value that `JSON.stringify` writes as this integer, unrounded.
 *
 * @throws TypeError when the runtime lacks `JSON.rawJSON`
 */
export function rawInteger(value: bigint): unknown {
  if (sourceTextJson.rawJSON === undefined) {
    throw new TypeError(`This runtime cannot write the integer ${value} exactly`);
  }
  return sourceTextJson.rawJSON(`${value}`);
}
