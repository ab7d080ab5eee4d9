import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { CommandError, describeError, exitCodes } from './exit-code.ts';
import { codeOf, readJsonFile, replaceFile } from './files.ts';

/** The process that has a lock, and an id of this one lock. */
const Owner = z.object({ pid: z.int().positive(), host: z.string(), lockId: z.uuid() });
type Owner = z.infer<typeof Owner>;

/**
 * Reserves a journal for this process until it is disposed, by a file beside it that names the process. The file of
 * a process that was killed is replaced: Node has no lock that the system itself would release.
 *
 * @throws CommandError when another process has it, or the file cannot be written
 */
export const lockJournal = (journal: string): Promise<AsyncDisposable> =>
  createLock(`${journal}.lock`, journal);

async function createLock(path: string, journal: string): Promise<AsyncDisposable> {
  const text = JSON.stringify({ pid: process.pid, host: hostname(), lockId: randomUUID() } satisfies Owner);
  while (!(await createFile(path, text)) && !(await replaceStaleLock(path, text, journal)));
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/**
 * Several processes can find the lock of a killed one at the same time. It is replaced by the one that locks this
 * very lock, after another look: since the first, another process may have replaced it and be at work.
 *
 * @returns whether it was replaced, and has not changed or gone
 */
async function replaceStaleLock(path: string, text: string, journal: string): Promise<boolean> {
  const stale = await readOwner(path, journal);
  if (stale === undefined) return false;
  await using _ = await createLock(`${path}.${stale.lockId}`, journal);
  const current = await readOwner(path, journal);
  if (current?.lockId !== stale.lockId) return false;
  await replaceFile(path, text);
  return true;
}

/** @returns the process that had the lock, or `undefined` when there is no lock. @throws CommandError while it runs */
async function readOwner(path: string, journal: string): Promise<Owner | undefined> {
  const json = await readJsonFile(path);
  if (json === undefined) return undefined;
  const { data: owner } = Owner.safeParse(json.value);
  if (owner && !isRunning(owner)) return owner;
  const name = owner ? `Process ${owner.pid} on ${owner.host}` : 'Another process';
  throw new CommandError(
    `${name} uses ${journal}: wait for it to end. If it is no import or export, delete ${path}`,
    exitCodes.notResumable,
  );
}

/** @returns whether the file was created, and not there already */
async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx');
    // On a full disk it would stay empty, and look like the lock of another process.
    await file.writeFile(text).catch(async (error: unknown) => {
      await rm(path, { force: true });
      throw error;
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new CommandError(describeError(error), exitCodes.usage);
  }
}

function isRunning({ pid, host }: Owner): boolean {
  // This machine cannot tell whether a process of another one still runs.
  if (host !== hostname()) return true;
  // In a container, the run before may have had the same number.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
