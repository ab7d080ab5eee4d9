import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { CommandError, exitCodes } from '../exit-code.ts';
import { beginning } from './input-record.ts';

const count = z.int().min(0);

/** What a later run needs to go on: small, whatever the size of the file. */
const ImportState = z.object({
  format: z.literal('pets import 1'),
  baseUrl: z.string(),
  /** The whole input; `undefined` for a pipe, which cannot be read twice. */
  input: z.object({ bytes: count, sha256: z.string() }).optional(),
  /** What the Idempotency-Keys begin with. */
  seed: z.string(),
  /** Every record up to here is added or refused. */
  done: z.object({ line: count, bytes: count, digest: z.string() }),
  added: count,
  refused: count,
  /** The length of the file of errors that belongs to `done`. */
  errorBytes: count,
  /** No record after this line was sent. Those after `done` may have been added. */
  sentLine: count,
  savedAt: z.iso.datetime(),
  isComplete: z.boolean(),
});
export type ImportState = z.infer<typeof ImportState>;

export const newImport = (baseUrl: string, input?: ImportState['input'], seed = 'petstore'): ImportState => ({
  format: 'pets import 1',
  baseUrl,
  ...(input && { input }),
  seed,
  done: beginning(seed),
  added: 0,
  refused: 0,
  errorBytes: 0,
  sentLine: 0,
  savedAt: new Date().toISOString(),
  isComplete: false,
});

/** @returns `undefined` when there is no journal. @throws CommandError when it is none of this command */
export async function readJournal(path: string): Promise<ImportState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const state = ImportState.safeParse(parseJsonText(text));
  if (state.success) return state.data;
  throw new CommandError(`${path} is not the journal of an import`, exitCodes.notResumable);
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces a file as a whole, durably: after a power cut it has its old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await using file = await open(temporary, 'w');
  await file.writeFile(text);
  await file.sync();
  await rename(temporary, path);
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}
