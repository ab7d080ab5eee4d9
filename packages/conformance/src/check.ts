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
  run(target: Target): Promise<void>;
}

/** Whether any service written from the interface document alone passes the check. */
export const isOfInterface = ({ cites }: Check): boolean => cites.startsWith('interface: ');
