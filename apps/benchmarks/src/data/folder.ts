import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

/**
 * A folder for the databases and logs of a run, gone when this process ends. Not the system's temporary
 * folder: that can be memory, where a durable commit costs nothing.
 */
export function runFolder(): { file(name: string): string } {
  mkdirSync(DATA, { recursive: true });
  const path = mkdtempSync(join(DATA, 'run-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return { file: (name) => join(path, name) };
}
