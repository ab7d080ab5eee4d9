import { constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { loadTextFormat } from './log-text.ts';

const STDOUT = 1;

/** Bytes that may wait to be written. Further lines are dropped, and their number is logged later. */
const MAX_BUFFERED = 4 * 1024 * 1024;

/** PIPE_BUF of Linux: a write of at most this size is not mixed with writes of other processes to the same pipe. */
const CHUNK_BYTES = 4_096;

const FLUSH_INTERVAL_MS = 50;

/** The most characters of a path in a log line. */
const MAX_PATH_LENGTH = 256;

/** How long closing waits for the last lines. */
export const CLOSE_LOG_MS = 1_000;

interface LogOptions {
  level: Level | 'silent';
  /** `auto`: text on a terminal, otherwise JSON lines. */
  format: 'auto' | 'json' | 'text';
  /** Removes secrets from a line: callers may write them anywhere. */
  redact(line: string): string;
}

export type Log = Awaited<ReturnType<typeof openLog>>;

/** Opens the log on standard output. No request waits for a reader of the log, and lines take bounded memory. */
export async function openLog({ level, format, redact }: LogOptions) {
  let isClosed = false;
  // `pino.destination` would stop counting dropped lines once the reader has closed the pipe, and its exit hook would
  // wait for a reader for ever.
  const destination = new sonicBoom.SonicBoom({
    fd: openStdout(),
    // A busy service collects lines instead of writing each of them. `minLength` must be less than `maxWrite`.
    minLength: CHUNK_BYTES - 1,
    periodicFlush: FLUSH_INTERVAL_MS,
    maxWrite: CHUNK_BYTES,
    maxLength: MAX_BUFFERED,
    retryEAGAIN: () => !isClosed,
  });
  const isText = format === 'auto' ? isatty(STDOUT) : format === 'text';
  let droppedCount = 0;
  let reportedCount = 0;
  let closing: Promise<void> | undefined;

  const toText = isText ? await loadTextFormat() : undefined;
  // This destination lacks `flushSync`, which pino calls after a fatal line, and which would wait for a reader for ever.
  const withoutFlush = { write: (line: string) => destination.write(line) };
  const logger = createLogger(withoutFlush, { level, redact, toText });

  async function close(): Promise<void> {
    logger.level = 'silent';
    const { promise, resolve } = Promise.withResolvers<void>();
    destination.once('close', resolve).once('error', resolve);
    const timer = setTimeout(resolve, CLOSE_LOG_MS);
    destination.end();
    await promise;
    clearTimeout(timer);
    isClosed = true;
    destination.destroy();
  }

  destination.on('drop', () => {
    droppedCount += 1;
  });

  destination.on('drain', () => {
    const dropped = droppedCount - reportedCount;
    reportedCount = droppedCount;
    if (dropped > 0) logger.warn({ dropped }, 'Log lines were dropped: they came faster than they were read');
  });

  // After an error, such as a full disk, the next flush writes the lines again.
  destination.on('error', () => {});
  return {
    logger,
    get droppedCount() {
      return droppedCount;
    },
    /** Writes a text that is not a log line, such as a new key: it is not redacted. */
    write: (text: string) => void destination.write(text),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

interface LoggerOptions extends Pick<LogOptions, 'level' | 'redact'> {
  /** Formats a line for people. @default JSON */
  toText?: ((line: string) => string) | undefined;
}

/** @param destination gets lines without secrets */
export const createLogger = (
  destination: DestinationStream,
  { level, redact, toText = (line) => line }: LoggerOptions,
): Logger => {
  // Redacted before it is cut, because the beginning of a key from `API_KEYS` would not be found.
  const path = (text: string) => redact(text).slice(0, MAX_PATH_LENGTH);
  const streamWrite = (line: string) => toText(redact(line));
  // PostgreSQL's detail of an error quotes the row.
  const removed = { paths: ['err.detail'], remove: true };
  return pino(
    { level, base: null, serializers: { path }, redact: removed, hooks: { streamWrite } },
    destination,
  );
};

/**
 * Opens standard output so that writes never block: a thread that waits for a reader would keep the process alive. A
 * pipe or a terminal is opened again, because other processes share its descriptor. Node makes a socket non-blocking.
 */
function openStdout(): number {
  const stdout = fstatSync(STDOUT);
  if (stdout.isFile()) return STDOUT;
  if (stdout.isSocket()) {
    new Socket({ fd: STDOUT, readable: false, writable: true }).unref();
    return STDOUT;
  }
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync(`/proc/self/fd/${STDOUT}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // Without /proc, or without a reader, writes may block.
    return STDOUT;
  }
}
