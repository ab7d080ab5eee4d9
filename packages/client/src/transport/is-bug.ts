/**
 * What the runtimes say in the TypeError of a `fetch` that reached no server. That of Node.js has a cause, that of
 * Bun a code; browsers and Deno tell it from the TypeErrors of a program by the text alone.
 */
const NETWORK_FAILURE =
  /^(fetch failed|failed to fetch|(a )?network|load failed|connect|socket|terminated|error (sending|reading|in body))/i;

/** Whether `fetch` threw an error of the program, such as a ReferenceError, which no retry changes. */
export function isBug(error: unknown): boolean {
  if (error instanceof TypeError)
    return !('cause' in error || 'code' in error || NETWORK_FAILURE.test(error.message));
  return error instanceof ReferenceError;
}
