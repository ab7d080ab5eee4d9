import { statSync } from 'node:fs';

/**
 * Creates the function that finds a file which was removed or replaced since. SQLite goes on writing to an open file,
 * and the data are lost when the process ends.
 */
export function watchFiles(names: readonly string[]): () => string | undefined {
  const identities = names.map(identify);
  return () => names.find((name, index) => identify(name) !== identities[index]);
}

function identify(name: string): string {
  try {
    const { dev, ino } = statSync(name);
    return `${dev}:${ino}`;
  } catch {
    return 'none';
  }
}
