import { hasCommand } from '../has-command.ts';
import { autocannon } from './autocannon.ts';
import type { Workload } from './template.ts';
import { wrk } from './wrk.ts';

/** What a load generator is told. */
export interface Load {
  port: number;
  workload: Workload;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Requests that got a response. */
  responses: number;
  /** Responses with a 4xx or 5xx, and connections or requests that failed. */
  failed: number;
}

const hasWrk = hasCommand('wrk');

export const generatorName = hasWrk ? 'wrk' : 'autocannon';

/** Sends a load: with wrk if this machine has it, otherwise with autocannon. */
export const generate: (load: Load) => Promise<LoadResult> = hasWrk ? wrk : autocannon;
