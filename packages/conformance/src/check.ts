import type { Target } from './http/target.ts';

/** A section of the interface document, a decision in the contract's README, or an RFC. `; ` separates several. */
export type Citation = `interface: ${string}` | `decision: ${string}` | `RFC ${number}${string}`;

/** One statement about the interface that a deployment keeps or breaks. */
export interface Check {
  name: string;
  /** Any service must pass a check that cites the interface document: it expects only what that document says. */
  cites: Citation;
  /** Whether the check cannot change the store, even if the deployment is faulty. */
  readOnly: boolean;
  /** Resolves if the target keeps the statement. @throws ConformanceError otherwise */
  run(target: Target): Promise<unknown>;
}

type Statements = Readonly<Record<string, Check['run']>>;

/** Creates checks with one citation. They add pets, or could do so if the deployment is faulty. */
export const defineChecks = (cites: Citation, statements: Statements): Check[] =>
  Object.entries(statements).map(([name, run]) => ({ name, cites, readOnly: false, run }));

export const defineReadOnlyChecks = (cites: Citation, statements: Statements): Check[] =>
  defineChecks(cites, statements).map((check) => ({ ...check, readOnly: true }));

/** Creates a statement for each row of a table. The name of the row replaces the `…` of the sentence. */
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

export const citesInterface = ({ cites }: Pick<Check, 'cites'>): boolean => cites.startsWith('interface: ');

export const titleOf = ({ name, cites }: Check): string => `${name} (${cites})`;
