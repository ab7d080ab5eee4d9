import { spawnSync } from 'node:child_process';
import type { TemporaryFolder } from '../files.ts';

/** The environment in which a process of Node.js finds a disk that does not respond: its syncs never end. */
export function hangingDisk(folder: TemporaryFolder): { NODE_OPTIONS: string } {
  const pipe = folder.file('pipe');
  spawnSync('mkfifo', [pipe]);
  // As a sync on such a disk, opening a pipe without a writer holds a thread of Node's pool for ever.
  const hang = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.fdatasync = (_descriptor, done) => fs.open(${JSON.stringify(pipe)}, 'r', done);
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hang)}"` };
}
