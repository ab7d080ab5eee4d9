export type { Check } from './check.ts';
export { checks, checksByPrefix, scopeChecks, sharedChecks, wireChecks } from './checks/index.ts';
export { ConformanceError, NoResponseError } from './conformance-error.ts';
export { probeTarget } from './probe-target.ts';
export { type Reporter, reporters } from './reporters/index.ts';
export { type Result, type RunOptions, runChecks } from './run.ts';
export { RunError } from './run-error.ts';
export type { Fetch, Target } from './target.ts';
