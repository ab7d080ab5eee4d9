import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { type Level, type Logger, pino } from 'pino';
import { type AccessLog, createAccessLog } from './access-log.ts';
import { LogBuffer } from './log-buffer.ts';
import { openStdout, STDOUT } from './log-sink.ts';
import { toText } from './log-text.ts';

/** What writes log lines: the logger for events, the access log for requests. */
export interface Loggers {
  logger: Logger;
  accessLog: AccessLog;
}

export interface LogOptions {
  /** The least level that is written. */
  level: Level | 'silent';
  /** JSON lines, text for people, or `auto`: text on a terminal. */
  format: 'auto' | 'json' | 'text';
}

/** Opens the log of this process on standard output. */
export function openLog({ level, format }: LogOptions): Loggers & { log: LogBuffer } {
  const log = new LogBuffer(openStdout());
  const isText = format === 'auto' ? isatty(STDOUT) : format === 'text';
  const sink = isText ? { write: (line: string) => log.write(toText(line)) } : log;
  return { log, ...createLoggers(sink, level) };
}

/** Creates loggers that write to a sink. Lines of a worker carry its number. */
export function createLoggers(sink: { write(line: string): void }, level: LogOptions['level']): Loggers {
  const worker = cluster.worker?.id;
  const logger = pino({ level, base: worker === undefined ? null : { worker } }, sink);
  return { logger, accessLog: createAccessLog(sink, logger, worker) };
}
