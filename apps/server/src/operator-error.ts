/** A start or a command that cannot go on: the message is one line that says what is wrong, and where. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
