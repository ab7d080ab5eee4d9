import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { Log } from './log.ts';
import { openStdout } from './outlet.ts';

/** Opens the log of this process on standard output. The lines of a worker say whose they are. */
export function openLog({ LOG_LEVEL: level }: Config): { log: Log; logger: Logger } {
  const log = new Log(openStdout());
  const base = cluster.worker === undefined ? null : { worker: cluster.worker.id };
  return { log, logger: pino({ level, base }, log) };
}
