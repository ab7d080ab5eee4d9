/** A run of checks cannot begin or cannot go on. The message is one line that says why. */
export class RunError extends Error {
  override name = 'RunError';
}
