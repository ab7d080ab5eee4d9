/** A start that cannot go on, in one line that names the variable or file and says what to change. */
export class StartupError extends Error {
  override name = 'StartupError';
}
