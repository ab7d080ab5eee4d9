import * as json from '@petstore/contract/json';

// The types are written out, so that the declarations of this package import nothing.

/**
 * Parses JSON without rounding integers: beyond 2^53 - 1 they become `bigint`.
 * @throws SyntaxError when the text is not JSON
 */
export const parseJson: (text: string) => unknown = json.parseJson;

/**
 * Writes JSON in which a `bigint` is a plain number.
 * @throws TypeError for a value that JSON cannot represent: a function, `undefined`, a cycle
 */
export const stringifyJson: (value: unknown) => string = json.stringifyJson;
