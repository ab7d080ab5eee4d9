export type { Check } from './check.ts';
export { checks, wireChecks } from './checks/index.ts';
export { Nonconformity } from './nonconformity.ts';
export { type Reporter, reporters } from './reporters/index.ts';
export { type Result, type RunOptions, runChecks } from './run.ts';
export type { Fetch, Target } from './target.ts';
