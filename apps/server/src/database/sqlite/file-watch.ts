import { statSync } from 'node:fs';

/**
 * Creates the function that finds the name of a file which was removed or replaced since. SQLite does not notice that of
 * an open file: what is written to it then is lost when the process ends.
 */
export function watchFiles(names: readonly string[]): () => string | undefined {
  const identities = names.map(identify);
  return () => names.find((name, index) => identify(name) !== identities[index]);
}

/** The device and the number of a file. */
function identify(name: string): string {
  try {
    const { dev, ino } = statSync(name);
    return `${dev}:${ino}`;
  } catch {
    return 'none';
  }
}
