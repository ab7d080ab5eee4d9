import type { ErrorCode } from '@petstore/contract';
import { expectError } from './http/response.ts';
import { send } from './http/send.ts';
import type { Target } from './target.ts';

/**
 * Sources of a check: a section of the interface document, or a row of the decisions in the contract's README, an RFC, or
 * both. Several are separated by `; `.
 */
export type Citation = `interface: ${string}` | `decision: ${string}` | `RFC ${number}${string}`;

/** One statement about the interface that a deployment keeps or breaks. */
export interface Check {
  name: string;
  /** A check cites the interface document only for what that document says: any service must pass the check. */
  cites: Citation;
  /** Whether the check cannot change the store, even if the deployment is faulty. */
  readOnly: boolean;
  /**
   * Resolves when the target keeps the statement.
   * @throws ConformanceError with what was expected and what the target returned
   */
  run(target: Target): Promise<unknown>;
}

/** Checks by their names. */
type Statements = Readonly<Record<string, Check['run']>>;

/** Creates checks with one citation. They add pets, or could do so if the deployment is faulty. */
export const checks = (cites: Citation, statements: Statements): Check[] =>
  Object.entries(statements).map(([name, run]) => ({ name, cites, readOnly: false, run }));

/** Creates checks with one citation that cannot change the store, even if the deployment is faulty. */
export const readOnlyChecks = (cites: Citation, statements: Statements): Check[] =>
  checks(cites, statements).map((check) => ({ ...check, readOnly: true }));

/**
 * Creates a statement for each row of a table.
 * @param sentence its `…` is replaced by the name of the row
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

/** Expects a GET to return this status with one of these error codes. */
export async function expectRefusal(target: Target, path: string, status: number, ...codes: ErrorCode[]) {
  expectError(await send(target, 'GET', path), status, ...codes);
}

/** Whether the check cites the interface document, so that any service written from it must pass. */
export const isOfInterface = ({ cites }: Check): boolean => cites.startsWith('interface: ');

export const titleOf = ({ name, cites }: Check): string => `${name} (${cites})`;
