import pino, { type Logger } from 'pino';

/** How often buffered lines are written, as the documentation of pino recommends. */
const LOG_DELAY_MS = 10;

export function createLog(): Logger {
  const output = pino.destination({ dest: 1, sync: false, minLength: 4096 });
  setInterval(() => output.flush(), LOG_DELAY_MS).unref();
  return pino({ base: null }, output);
}
