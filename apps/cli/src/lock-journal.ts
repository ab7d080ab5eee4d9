import { open, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { CommandError, describeError, exitCodes } from './exit-code.ts';
import { readJsonFile } from './files.ts';

/** The process that has a lock. */
const Owner = z.object({ pid: z.int(), host: z.string() });
type Owner = z.infer<typeof Owner>;

/**
 * Reserves a journal for this process until it is disposed, by a file beside it that names the process. The file of
 * a process that was killed is replaced: Node has no lock that the system itself would release.
 *
 * @throws CommandError when another process has it, or the file cannot be written
 */
export async function lockJournal(journal: string): Promise<AsyncDisposable> {
  const path = `${journal}.lock`;
  const owner: Owner = { pid: process.pid, host: hostname() };
  while (!(await createFile(path, JSON.stringify(owner)))) {
    const json = await readJsonFile(path);
    if (json === undefined) continue;
    const { data: other } = Owner.safeParse(json.value);
    if (other === undefined || isRunning(other)) {
      const name = other === undefined ? 'Another process' : `Process ${other.pid} on ${other.host}`;
      throw new CommandError(
        `${name} uses ${journal}: wait for it to end. If it is no import or export, delete ${path}`,
        exitCodes.notResumable,
      );
    }
    await rm(path, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
