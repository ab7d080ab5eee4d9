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
 * Texts that `JSON.parse` may read wrongly. A double changes numbers only with 16 or more characters, an exponent, or a
 * minus before zero. A name with an escape may become the name that an earlier object of the same form
 * had (https://github.com/nodejs/node/issues/63785).
 */
const MAY_BE_INEXACT = /[\d.]{16}|\de|-0|\\/i;

/** The tokens of a well-formed JSON text, without commas, colons and spaces. */
const TOKEN = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s:,[\]{}"]+/g;

/** Returns an integer in its one form: a `number` for a safe integer, a `bigint` beyond. */
export function normalizeInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Parses JSON (RFC 8259) without rounding integers: beyond 2^53 − 1 they become `bigint`. As in JSON Schema, `5.0` and
 * `5e0` are the integer 5. A fraction that a double would round to an integer becomes `NaN`, which no schema accepts.
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return MAY_BE_INEXACT.test(text) ? readTokens(text) : parsed;
}

/** A reviver of `JSON.parse` would be shorter, but V8 passes wrong names to it. @param text well-formed JSON */
function readTokens(text: string): unknown {
  /** The innermost open array, or the names and values of the innermost open object; at the top level, the result. */
  let inner: unknown[] = [];
  /** The open arrays and objects around `inner`, in the same form. */
  const outer: unknown[][] = [];
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

/** `fromEntries` makes `__proto__` an ordinary member. @param members names and values, alternately */
const toObject = (members: readonly unknown[]) =>
  Object.fromEntries(members.flatMap((name, index) => (index % 2 ? [] : [[name, members[index + 1]]])));

/**
 * Serializes a value as JSON in which a `bigint` is a plain JSON number. A replacer makes a list of pets take two to
 * three times as long, so it is used only after `JSON.stringify` has thrown for a `bigint`.
 * @throws TypeError for a value that JSON cannot hold (a function, `undefined`, a cycle), or for a `bigint` when the
 *   runtime lacks `JSON.rawJSON`
 */
export function stringifyJson(value: unknown): string {
  let text: string | undefined;
  try {
    // If an app gave BigInt a `toJSON`, nothing throws.
    text = JSON.stringify(value, 'toJSON' in BigInt.prototype ? replaceBigInt : undefined);
  } catch {
    text = JSON.stringify(value, replaceBigInt);
  }
  if (text === undefined) throw new TypeError(`A ${typeof value} is not JSON`);
  return text;
}

function exactNumber(text: string): number | bigint {
  const rounded = Number(text);
  if (!Number.isInteger(rounded)) return rounded;
  const [mantissa = '', exponent = 0] = text.split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  // BigInt is slow for many digits. Without trailing zeros, an integer in the range of a double has at most 309. BigInt
  // skips leading zeros quickly. The lookbehind tries each run of zeros once, not from each of its zeros.
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '');
  if (!/[1-9]/.test(digits)) return 0;
  const scale = Number(exponent) + whole.length - digits.length;
  if (scale < 0) return Number.NaN;
  return normalizeInteger(BigInt(digits) * 10n ** BigInt(scale));
}

/** A replacer for `JSON.stringify`: a `bigint` becomes a plain number. @throws TypeError without `JSON.rawJSON` */
export function replaceBigInt(this: unknown, key: string, converted: unknown): unknown {
  // If an app gave BigInt a `toJSON`, `converted` is its result. The holder still has the bigint.
  const value: unknown = Reflect.get(Object(this), key);
  if (typeof value !== 'bigint') return converted;
  if (rawJson.rawJSON === undefined) throw new TypeError('JSON.rawJSON is missing');
  return rawJson.rawJSON(`${value}`);
}
