/**
 * JSON without rounding: an integer beyond 2^53 − 1 is a number in JSON and a `bigint` in the program.
 * This file imports nothing, so that a client can use it without the schemas.
 */

// Every runtime we support has JSON.rawJSON (ES2026), but TypeScript's library does not declare it yet.
interface RawJson extends JSON {
  rawJSON?(text: string): unknown;
}
const rawJson: RawJson = JSON;

/**
 * Only these numbers may lose digits in a double: 16 or more characters, an exponent, a minus before zero. And only
 * a name with an escape may be read as another one: V8 takes it for the name that an earlier object of the same form
 * had (https://github.com/nodejs/node/issues/63785).
 */
const MAY_BE_INEXACT = /[\d.]{16}|\de|-0|\\/i;

/** The tokens of a well-formed JSON text that have a meaning without the commas, colons and spaces between them. */
const TOKEN = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s:,[\]{}"]+/g;

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
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): unknown {
  const rounded: unknown = JSON.parse(text);
  return MAY_BE_INEXACT.test(text) ? readTokens(text) : rounded;
}

/**
 * Reads a well-formed JSON text token by token. A reviver of `JSON.parse` with the source text of each number would
 * be shorter, but V8 gives it the wrong names.
 */
function readTokens(text: string): unknown {
  /** The array, or the names and values of the object, that each open bracket began. */
  const outer: unknown[][] = [];
  let inner: unknown[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      outer.push(inner);
      inner = [];
    } else if (token === '}' || token === ']') {
      const value = token === ']' ? inner : toObject(inner);
      inner = outer.pop() ?? [];
      inner.push(value);
    } else {
      inner.push(/^[-\d]/.test(token) ? exactNumber(token) : JSON.parse(token));
    }
  }
  return inner[0];
}

/** @param members names and values in turns */
const toObject = (members: readonly unknown[]) =>
  Object.fromEntries(members.flatMap((name, index) => (index % 2 ? [] : [[name, members[index + 1]]])));

/**
 * Serializes a value as JSON in which a `bigint` is a plain JSON number.
 *
 * @throws TypeError for what JSON cannot hold (a function, `undefined`, a cycle), or for a `bigint` when
 *   the runtime lacks `JSON.rawJSON`.
 */
export function stringifyJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} is not JSON`);
  return text;
}

/** The number that the text of a JSON number denotes, or `NaN` for a fraction that a double takes for an integer. */
function exactNumber(text: string): number | bigint {
  const rounded = Number(text);
  if (!Number.isInteger(rounded)) return rounded;
  const [mantissa = '', exponent = 0] = text.split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  // The exponent of a 0 can be of any size: 10 to its power must not be computed.
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
  if (rawJson.rawJSON === undefined) {
    throw new TypeError('JSON.rawJSON is missing');
  }
  return rawJson.rawJSON(`${value}`);
}
