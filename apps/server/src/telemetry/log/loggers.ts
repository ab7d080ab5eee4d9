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

interface LogOptions {
  /** The least level that is written. */
  level: Level | 'silent';
  /** JSON lines, text for people, or `auto`: text on a terminal. */
  format: 'auto' | 'json' | 'text';
  /** Removes secrets from a line: callers may write them anywhere. */
  redact(line: string): string;
}

/** Opens the log of this process on standard output. */
export function openLog({ format, ...options }: LogOptions): Loggers & { log: LogBuffer } {
  const log = new LogBuffer(openStdout());
  const isText = format === 'auto' ? isatty(STDOUT) : format === 'text';
  const sink = isText ? { write: (line: string) => log.write(toText(line)) } : log;
  return { log, ...createLoggers(sink, options) };
}

/** Creates loggers that write to a sink. Lines of a worker carry its number. */
export function createLoggers(
  sink: { write(line: string): void },
  { level, redact }: Omit<LogOptions, 'format'>,
): Loggers {
  const worker = cluster.worker?.id;
  const redacted = { write: (line: string) => sink.write(redact(line)) };
  const logger = pino({ level, base: worker === undefined ? null : { worker } }, redacted);
  return { logger, accessLog: createAccessLog(redacted, logger, worker) };
}
