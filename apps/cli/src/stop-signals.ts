import { exitCodes } from './exit-code.ts';

/** How long requests in flight may take after a signal. */
const GRACE_MS = 3_000;

export interface StopSignals extends Disposable {
  /** Aborts at the first SIGINT or SIGTERM: begin nothing new. */
  stop: AbortSignal;
  /** Aborts some seconds later: give up what is in flight. */
  giveUp: AbortSignal;
  /** 130 or 143, once there was a signal. */
  exitCode(): 130 | 143;
}

/** Lets a command end in order at the first signal. A second one ends the process. */
export function catchStopSignals(): StopSignals {
  const stop = new AbortController();
  const giveUp = new AbortController();
  let exitCode: 130 | 143 = exitCodes.interrupted;
  let timer: NodeJS.Timeout | undefined;
  function onSignal(signal: NodeJS.Signals): void {
    if (stop.signal.aborted) process.exit(exitCode);
    if (signal === 'SIGTERM') exitCode = exitCodes.terminated;
    stop.abort();
    timer = setTimeout(() => giveUp.abort(), GRACE_MS);
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    stop: stop.signal,
    giveUp: giveUp.signal,
    exitCode: () => exitCode,
    [Symbol.dispose]() {
      clearTimeout(timer);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}
