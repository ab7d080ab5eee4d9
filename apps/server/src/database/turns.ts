/** How long a caller waits for its turn. */
const TIMEOUT_MS = 5_000;

/** Lets one caller work at a time, in the order of arrival. */
export class Turns {
  readonly #createError: () => Error;
  /** Ends with the turn of the last caller. */
  #last: Promise<void> = Promise.resolve();

  /** @param createError makes the error of a caller that has waited too long */
  constructor(createError: () => Error) {
    this.#createError = createError;
  }

  /** @returns the function that ends the turn */
  async take(): Promise<() => void> {
    const { promise: turn, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => turn);
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
