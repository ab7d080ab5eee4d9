import type { Hooks } from '../hooks.ts';
import type { Logger } from '../options.ts';

/** Creates the hooks that write a line for each event. No line contains the API key, a header or a body. */
export function createLogHooks(logger: Logger): Required<Hooks> {
  const nameOf = ({ operation, attempt }: { operation: string; attempt: number }) =>
    `@petstore/client: ${operation}, attempt ${attempt}`;
  const inMs = (milliseconds: number) => `in ${Math.round(milliseconds)} ms`;

  return {
    onRequest: (event) => logger.debug(`${nameOf(event)}: ${event.method} ${event.url}`),
    onResponse(event) {
      const { status, requestId = 'none', durationMs } = event;
      const line = `${nameOf(event)}: status ${status} ${inMs(durationMs)}, request id ${requestId}`;
      if (status < 500) logger.info(line);
      else logger.error(line);
    },
    onError(event) {
      const { error, durationMs } = event;
      const line = `${nameOf(event)}: ${error.name} ${inMs(durationMs)}: ${error.message}`;
      // A call that its caller aborted did not fail.
      if (error.name === 'AbortError') logger.info(line);
      else logger.error(line);
    },
    onRetry: (event) => logger.warn(`${nameOf(event)}: retried ${inMs(event.delayMs)}`),
  };
}
