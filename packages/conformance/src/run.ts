import { extname } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import type { Check } from './check.ts';
import type { Target } from './target.ts';

/** The checks that `suite.ts` registers with node:test. */
interface Plan {
  target: Target;
  checks: readonly Check[];
  /** Milliseconds that one check may take. */
  timeLimit: number;
  /** Milliseconds that all checks together may take. */
  totalTimeLimit: number;
}

/** The run of this process, for suite.ts: node:test takes only the name of a file. */
export const current: {
  plan?: Plan;
  /** Why the remaining checks do not run. */
  interruption?: string;
} = {};

/** Runs checks one after another by node:test. @returns its events, for reporters */
export function runChecks(plan: Plan): AsyncIterable<TestEvent> {
  current.plan = plan;
  const suite = fileURLToPath(new URL(`suite${extname(import.meta.url)}`, import.meta.url));
  // In this process, an error keeps the properties that the report shows.
  return run({ files: [suite], isolation: 'none', concurrency: false });
}
