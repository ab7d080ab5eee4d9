import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import { type AccessLog, createAccessLog } from './access-log.ts';
import { LogBuffer } from './log-buffer.ts';
import { openStdout, STDOUT } from './log-sink.ts';
import { toText } from './log-text.ts';

/** What writes log lines: the logger for events, the access log for requests. */
export interface Loggers {
  logger: Logger;
  accessLog: AccessLog;
}

/** Opens the log of this process on standard output. */
export function openLog(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>): Loggers & { log: LogBuffer } {
  const log = new LogBuffer(openStdout());
  const isText = config.LOG_FORMAT === 'auto' ? isatty(STDOUT) : config.LOG_FORMAT === 'text';
  const sink = isText ? { write: (line: string) => log.write(toText(line)) } : log;
  return { log, ...createLoggers(sink, config) };
}

/** Creates loggers that write to a sink. Lines of a worker carry its number. */
export function createLoggers(
  sink: { write(line: string): void },
  { LOG_LEVEL: level }: Pick<Config, 'LOG_LEVEL'>,
): Loggers {
  const worker = cluster.worker?.id;
  const logger = pino({ level, base: worker === undefined ? null : { worker } }, sink);
  return { logger, accessLog: createAccessLog(sink, logger, worker) };
}
