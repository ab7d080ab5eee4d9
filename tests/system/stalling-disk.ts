import { execFile } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TemporaryFolder } from '@petstore/test-support/files';

export type Disk = Awaited<ReturnType<typeof compileDisk>>;

/** Compiles the library that controls the syncs of a process as a faulty disk would, with `cc`. */
export async function compileDisk(folder: TemporaryFolder) {
  const library = folder.file('stalling-disk.so');
  const source = fileURLToPath(new URL('stalling-disk.c', import.meta.url));
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  const command = folder.file('disk-command');
  return {
    /** The variables that the process needs. */
    environment: { LD_PRELOAD: library, DISK_COMMAND: command },
    /** Makes each sync of a file whose name ends with `ending` wait, or fail with EIO, until `recover`. */
    async break(how: 'stall' | 'fail', ending: string) {
      // A rename is atomic: a process must not read half a command.
      await writeFile(`${command}.new`, `${how} ${ending}\n`);
      await rename(`${command}.new`, command);
    },
    recover: () => rm(command, { force: true }),
  };
}
