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
  const rounded: unknown = JSON.parse(text);
  return MAY_BE_INEXACT.test(text) ? readTokens(text) : rounded;
}

/** A reviver of `JSON.parse` would be shorter, but V8 passes wrong names to it. */
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

/** @param members names and values, alternately */
const toObject = (members: readonly unknown[]) =>
  Object.fromEntries(members.flatMap((name, index) => (index % 2 ? [] : [[name, members[index + 1]]])));

/**
 * Serializes a value as JSON in which a `bigint` is a plain JSON number. With a replacer, a list of pets takes two to
 * three times as long, so it is used once `JSON.stringify` has thrown for a `bigint`.
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

/** Reads a JSON number. A fraction that a double would round to an integer becomes `NaN`. */
function exactNumber(text: string): number | bigint {
  const rounded = Number(text);
  if (!Number.isInteger(rounded)) return rounded;
  const [mantissa = '', exponent = 0] = text.split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  // Without its last zeros, an integer that a double holds has at most 309 significant digits. BigInt skips leading zeros
  // quickly.
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '');
  if (/^-?$/.test(digits)) return 0;
  const scale = Number(exponent) + whole.length - digits.length;
  if (rounded === 0 || scale < 0) return Number.NaN;
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

/** Levels of nesting that a body may have. Request bodies of this interface have one. */
export const MAX_DEPTH = 32;

// One match takes all characters between two escapes, because names can be long.
const BRACKET_OR_STRING = /[{}[\]]|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;

/**
 * Finds a member name that occurs twice in an object: JSON (RFC 8259) allows it, I-JSON (RFC 7493) does not, because
 * parsers disagree on it. Also finds the name `__proto__`, and nesting that is too deep.
 * @param text well-formed JSON
 * @returns the fault, as the end of a sentence that begins with "The body", or `undefined`
 */
export function findIJsonFault(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, literal = '', colon] of text.matchAll(BRACKET_OR_STRING)) {
    if (token === '{' || token === '[') {
      if (open.push(new Set()) > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const name = literal.includes('\\') ? String(JSON.parse(`"${literal}"`)) : literal;
      if (name === '__proto__') return 'has a member __proto__';
      const names = open.at(-1);
      if (names?.has(name)) return `has the member ${JSON.stringify(name)} twice`;
      names?.add(name);
    }
  }
  return undefined;
}
