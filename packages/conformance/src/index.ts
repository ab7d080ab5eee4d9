export type { Check } from './check.ts';
export {
  checks,
  checksByPrefix,
  interfaceChecks,
  scopeChecks,
  sharedChecks,
  wireChecks,
} from './checks/index.ts';
export { ConformanceError, NoResponseError, type Replay } from './conformance-error.ts';
export { type Reporter, reporters } from './reporters/index.ts';
export { type Finding, findingsOf } from './run/findings.ts';
export { probeTarget } from './run/probe-target.ts';
export { type Result, type RunOptions, runChecks } from './run/run.ts';
export { RunError } from './run/run-error.ts';
export type { Fetch, Target } from './target.ts';
