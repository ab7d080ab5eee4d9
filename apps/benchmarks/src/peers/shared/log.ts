import pino, { type Logger } from 'pino';

/** How long a line may be buffered. */
const LOG_DELAY_MS = 10;

export function createLog(): Logger {
  const output = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: LOG_DELAY_MS });
  return pino({ base: null }, output);
}
