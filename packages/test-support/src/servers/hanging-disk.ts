import { spawnSync } from 'node:child_process';
import type { TemporaryFolder } from '../files.ts';

/**
 * The environment in which a process of Node.js finds a disk that does not respond: the thread that writes to SQLite begins with a sync, which
 * never ends. Then the folder has a file `hanging`.
 */
export function hangingDisk(folder: TemporaryFolder): { NODE_OPTIONS: string } {
  const pipe = folder.file('pipe');
  spawnSync('mkfifo', [pipe]);
  // As a sync on such a disk, opening a pipe without a writer holds the thread for ever.
  const hang = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.fdatasyncSync = () => {
      fs.writeFileSync(${JSON.stringify(folder.file('hanging'))}, '');
      fs.openSync(${JSON.stringify(pipe)}, 'r');
    };
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hang)}"` };
}
