import type { ErrorCode } from '@petstore/contract';
import { expectError } from './http/response.ts';
import { send } from './http/send.ts';
import type { Target } from './target.ts';

/** One statement about the interface that a deployment keeps or breaks. */
export interface Check {
  /** The statement, a plain sentence. */
  name: string;
  /**
   * Where it is written: `interface: <section>` for what the interface document says in its own words; otherwise
   * `decision: <row>` of the contract's README, or an RFC, or both, divided by `; `.
   */
  cites: string;
  /** Whether the check cannot change the store, even where the deployment is wrong. */
  readOnly: boolean;
  /**
   * Resolves when the target keeps the statement.
   *
   * @throws ConformanceError saying what was expected and what came
   */
  run(target: Target): Promise<unknown>;
}

/** A check that adds pets, or could do so where the deployment is wrong. */
export const check = (name: string, cites: string, run: Check['run']): Check => ({
  name,
  cites,
  readOnly: false,
  run,
});

/** A check that cannot change the store, even where the deployment is wrong. */
export const readOnlyCheck = (name: string, cites: string, run: Check['run']): Check => ({
  ...check(name, cites, run),
  readOnly: true,
});

/** Checks that a GET of each of these paths is refused, with this status and one of these codes. */
export const refusals = (
  cites: string,
  paths: Readonly<Record<string, string>>,
  status: number,
  ...codes: ErrorCode[]
): Check[] =>
  Object.entries(paths).map(([name, path]) =>
    readOnlyCheck(name, cites, async (target) =>
      expectError(await send(target, 'GET', path), status, ...codes),
    ),
  );

/** Whether any service written from the interface document alone passes the check. */
export const isOfInterface = ({ cites }: Check): boolean => cites.startsWith('interface: ');

/** A check as reports show it. */
export const titleOf = ({ name, cites }: Check): string => `${name} (${cites})`;
