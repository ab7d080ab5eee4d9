export type { Check } from './check.ts';
export { checks, interfaceChecks, scopeChecks, sharedChecks } from './checks/index.ts';
export { ConformanceError, NoResponseError, type Replay } from './http/conformance-error.ts';
export type { Fetch, Target } from './http/target.ts';
