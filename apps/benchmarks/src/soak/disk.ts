import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Room for some millions of pets, twice, as a restore needs it. The image takes what is used of it. */
const BYTES = 4 * 2 ** 30;

/** Where the database of a soak lies. */
export interface Disk extends AsyncDisposable {
  path: string;
  /** Takes all space that is free. `undefined` where the disk is not one of its own. */
  fill: (() => Promise<void>) | undefined;
  /** Gives it back. */
  free(): Promise<void>;
}

/**
 * Makes a file system of its own in an image, mounted as a loop device, for those who may (root on Linux): it can be
 * filled without harm to others, and a commit waits for the real disk, which it would not on a tmpfs. Others get a
 * folder, which is never full.
 *
 * @param folder a new one, on a real disk
 */
export async function createDisk(folder: string): Promise<Disk> {
  mkdirSync(folder);
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return folderAsDisk(folder);
  const image = join(folder, 'disk.img');
  // Not in the folder: PostgreSQL runs as another user, who must be able to get there.
  const path = await mkdtemp(join(tmpdir(), 'petstore-disk-'));
  try {
    await writeFile(image, '');
    await truncate(image, BYTES);
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
    await run('mount', ['-o', 'loop', image, path]);
  } catch {
    // A container has seldom the right to mount.
    await rm(path, { recursive: true });
    return folderAsDisk(folder);
  }
  await chmod(path, 0o755);
  const unmount = () => {
    spawnSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', unmount);
  const filler = join(path, 'filler');
  return {
    path,
    fill: async () => {
      mkdirSync(filler);
      await takeAll(path, filler);
    },
    free: () => rm(filler, { recursive: true }),
    async [Symbol.asyncDispose]() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

const folderAsDisk = (path: string): Disk => ({
  path,
  fill: undefined,
  free: async () => {},
  [Symbol.asyncDispose]: async () => {},
});

/** The file system needs some space for its own records of each file, so the last part is taken in halves. */
async function takeAll(path: string, filler: string): Promise<void> {
  const { bavail, bsize } = statfsSync(path);
  let files = 0;
  for (let bytes = bavail * bsize; bytes >= bsize; ) {
    files += 1;
    const taken = run('fallocate', ['-l', `${bytes}`, join(filler, `${files}`)]);
    const isTaken = await taken.then(
      () => true,
      () => false,
    );
    if (!isTaken) bytes = Math.floor(bytes / 2);
  }
}
