import type { ErrorCode } from '@petstore/contract';
import { expectError } from './http/response.ts';
import { send } from './http/send.ts';
import type { Target } from './target.ts';

/** A section of the interface document, or a row of the contract's README, an RFC, or both, divided by `; `. */
export type Citation = `interface: ${string}` | `decision: ${string}` | `RFC ${number}${string}`;

/** One statement about the interface that a deployment keeps or breaks. */
export interface Check {
  name: string;
  /** Where it is written. The interface document is cited only for its own words, which any service keeps. */
  cites: Citation;
  /** Whether the check cannot change the store, even where the deployment is wrong. */
  readOnly: boolean;
  /**
   * Resolves when the target keeps the statement.
   * @throws ConformanceError saying what was expected and what came
   */
  run(target: Target): Promise<unknown>;
}

/** Checks by their names. */
type Statements = Readonly<Record<string, Check['run']>>;

/** Checks that cite one place. They add pets, or could do so where the deployment is wrong. */
export const checks = (cites: Citation, statements: Statements): Check[] =>
  Object.entries(statements).map(([name, run]) => ({ name, cites, readOnly: false, run }));

/** Checks that cite one place, and cannot change the store, even where the deployment is wrong. */
export const readOnlyChecks = (cites: Citation, statements: Statements): Check[] =>
  checks(cites, statements).map((check) => ({ ...check, readOnly: true }));

/**
 * A statement for each row of a table.
 * @param sentence in which `…` stands for the name of the row
 */
export const each = <Value>(
  sentence: string,
  table: Readonly<Record<string, Value>>,
  run: (target: Target, value: Value) => Promise<unknown>,
): Statements =>
  Object.fromEntries(
    Object.entries(table).map(([row, value]) => [sentence.replace('…', row), (target) => run(target, value)]),
  );

export const tableOf = <Text extends string>(texts: readonly Text[]): Record<string, Text> =>
  Object.fromEntries(texts.map((text) => [text, text]));

/** Expects a GET of a path to be refused, with this status and one of these codes. */
export async function expectRefusal(target: Target, path: string, status: number, ...codes: ErrorCode[]) {
  expectError(await send(target, 'GET', path), status, ...codes);
}

/** Whether any service written from the interface document alone passes the check. */
export const isOfInterface = ({ cites }: Check): boolean => cites.startsWith('interface: ');

export const titleOf = ({ name, cites }: Check): string => `${name} (${cites})`;
