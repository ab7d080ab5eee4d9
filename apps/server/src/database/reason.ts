import { ConnectionError } from './connection-error.ts';

/** The message of an error in one line for the operator. A ConnectionError says less than its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (error instanceof ConnectionError && error.cause !== undefined) return reasonOf(error.cause);
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
