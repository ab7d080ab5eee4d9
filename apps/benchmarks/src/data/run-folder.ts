import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

/**
 * Makes a folder for the databases and logs of a run, which is removed when this process ends. It is not
 * in the system's temporary folder: that may be memory, where a durable commit costs nothing.
 */
export function createRunFolder(): { file(name: string): string } {
  mkdirSync(DATA, { recursive: true });
  const path = mkdtempSync(join(DATA, 'run-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return { file: (name) => join(path, name) };
}
