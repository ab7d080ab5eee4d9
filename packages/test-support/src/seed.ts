/** Chooses the seed of a test's random choices and prints it. Set the variable SEED to it to repeat the run. */
export function chooseSeed(title: string): number {
  const seed = process.env.SEED ? Number(process.env.SEED) : Math.floor(Math.random() * 2 ** 31);
  console.info(`${title}: SEED=${seed}`);
  return seed;
}
