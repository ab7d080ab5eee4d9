import { isPetStoreError } from '@petstore/client';

/** The exit codes of `pets`, which the table of the README explains. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unauthorized: 5,
  unavailable: 6,
} as const;

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error whose message is one line with a remedy. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (!isPetStoreError(error)) return exitCodes.failure;
  if (error.isRetryable) return exitCodes.unavailable;
  // A response without an Error body is not from the service. A wrong base URL causes `path_not_found`.
  if (error.name !== 'ServiceError') return exitCodes.failure;
  if (error.code === 'path_not_found') return exitCodes.usage;
  if (error.code === 'pet_not_found') return exitCodes.notFound;
  // The status classifies error codes that this release does not know.
  return error.status === 401 || error.status === 403 ? exitCodes.unauthorized : exitCodes.refused;
}

export function describeError(error: unknown): string {
  if (!isPetStoreError(error)) return error instanceof Error ? error.message : String(error);
  const { message, requestId, retryAfterMs } = error;
  const text = requestId === undefined ? message : `${message} (request ${requestId})`;
  if (retryAfterMs === undefined) return text;
  return `${text.replace(/\.$/, '')}. Try again in ${Math.ceil(retryAfterMs / 1_000)} s`;
}
