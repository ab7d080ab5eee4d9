/** A deployment breaks the contract. The message says what was expected and what came. */
export class ConformanceError extends Error {
  override name = 'ConformanceError';
}

/** A request got no response: the connection failed, was cut, or took too long. */
export class NoResponseError extends ConformanceError {
  override name = 'NoResponseError';
}

/** @throws ConformanceError with the message unless the condition holds */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ConformanceError(message);
}
