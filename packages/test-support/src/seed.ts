/**
 * Chooses the seed of a test's random choices, or takes it from the variable SEED. It prints the seed: set SEED to it to
 * repeat a run.
 * @param title of the test, for the output
 */
export function chooseSeed(title: string): number {
  const seed = process.env.SEED ? Number(process.env.SEED) : Math.floor(Math.random() * 2 ** 31);
  console.info(`${title}: SEED=${seed}`);
  return seed;
}

/**
 * Creates a generator of random integers (mulberry32).
 * @returns a function that returns an integer from `min` to `max`, both included
 */
export function randomIntegers(seed: number): (min: number, max: number) => number {
  let state = seed;
  return (min, max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return min + Math.floor(fraction * (max - min + 1));
  };
}
