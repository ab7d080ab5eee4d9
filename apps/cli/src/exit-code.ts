import { isPetStoreError } from '@petstore/client';

/** The exit codes of `pets`. The table of the README has a row for each. */
export const exitCodes = {
  success: 0,
  /** Any other failure, such as a full disk or a response outside the contract. */
  failure: 1,
  /** Wrong options or configuration. */
  usage: 2,
  /** A pet, or a line of a file, is not allowed. */
  refused: 3,
  notFound: 4,
  unauthorized: 5,
  /** The service cannot be reached, or cannot respond now. */
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
  // The status classifies error codes that this release does not know.
  if (error.code === 'path_not_found') return exitCodes.usage;
  if (error.status === 401 || error.status === 403) return exitCodes.unauthorized;
  if (error.status === 404) return exitCodes.notFound;
  return error.name === 'ServiceError' ? exitCodes.refused : exitCodes.failure;
}

export function describeError(error: unknown): string {
  if (!isPetStoreError(error)) return error instanceof Error ? error.message : String(error);
  return error.requestId === undefined ? error.message : `${error.message} (request ${error.requestId})`;
}
