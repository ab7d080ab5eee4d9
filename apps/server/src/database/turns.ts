/** How long a caller waits for its turn. */
const TIMEOUT_MS = 5_000;

/** Lets one caller work at a time, in the order of arrival. */
export class Turns {
  readonly #createError: () => Error;
  /** Resolves when the turn of the last caller ends. */
  #lastEnd: Promise<void> = Promise.resolve();

  /** @param createError makes the error of a caller that has waited too long */
  constructor(createError: () => Error) {
    this.#createError = createError;
  }

  /** @returns the function that ends the turn */
  async take(): Promise<() => void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#lastEnd;
    this.#lastEnd = before.then(() => ended);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(this.#createError()), TIMEOUT_MS);
    try {
      await Promise.race([before, late]);
      return end;
    } catch (error) {
      end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
