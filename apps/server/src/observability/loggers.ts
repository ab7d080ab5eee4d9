import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { type AccessLog, createAccessLog } from './access-log.ts';
import { Log } from './log-buffer.ts';
import { openStdout } from './log-sink.ts';

/** What writes lines: events as they happen, and one line of each request. */
export interface Loggers {
  logger: Logger;
  accessLog: AccessLog;
}

/** Opens the log of this process on standard output. */
export function openLog(config: Pick<Config, 'LOG_LEVEL'>): Loggers & { log: Log } {
  const log = new Log(openStdout());
  return { log, ...createLoggers(log, config) };
}

/** Makes what writes lines into a sink. Those of a worker say whose they are. */
export function createLoggers(
  sink: { write(line: string): void },
  { LOG_LEVEL: level }: Pick<Config, 'LOG_LEVEL'>,
): Loggers {
  const worker = cluster.worker?.id;
  const logger = pino({ level, base: worker === undefined ? null : { worker } }, sink);
  return { logger, accessLog: createAccessLog(sink, logger, worker) };
}
