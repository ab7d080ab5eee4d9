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
