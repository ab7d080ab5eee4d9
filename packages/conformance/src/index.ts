export type { Check } from './check.ts';
export { checks, interfaceChecks, scopeChecks, sharedChecks } from './checks/index.ts';
export { ConformanceError, NoResponseError, type Replay } from './conformance-error.ts';
export type { Fetch, Target } from './target.ts';
