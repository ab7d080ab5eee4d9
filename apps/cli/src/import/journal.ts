import * as z from 'zod';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readJsonFile, replaceFile } from '../files.ts';
import { beginning } from '../input/input-record.ts';

const count = z.int().min(0);

/** What a later run needs to go on: small, whatever the size of the file. */
const ImportState = z
  .object({
    format: z.literal('pets import 2'),
    baseUrl: z.string(),
    /** The whole input; `undefined` for a pipe, which cannot be read twice. */
    input: z.object({ bytes: count, sha256: z.string() }).optional(),
    /** What the Idempotency-Keys begin with. */
    seed: z.string(),
    /** Every record up to here is added or refused. */
    done: z.object({ line: count, bytes: count, digest: z.string() }),
    added: count,
    refused: count,
    /** The path of the file of errors, from the folder of the journal. */
    errorFile: z.string(),
    /** The length of the file of errors that belongs to `done`. */
    errorBytes: count,
    /** No record after this line was sent. Those after `done` may have been added. */
    sentLine: count,
    savedAt: z.iso.datetime(),
    isComplete: z.boolean(),
  })
  .refine(({ input, done, added, refused, errorBytes, sentLine }) => {
    const isWithinInput = done.line <= done.bytes && done.bytes <= (input?.bytes ?? done.bytes);
    return (
      isWithinInput && added + refused <= done.line && done.line <= sentLine && errorBytes > 0 === refused > 0
    );
  });
export type ImportState = z.infer<typeof ImportState>;

export const newImport = (
  identity: Pick<ImportState, 'baseUrl' | 'input' | 'errorFile'>,
  seed = 'petstore',
): ImportState => ({
  format: 'pets import 2',
  ...identity,
  seed,
  done: beginning(seed),
  added: 0,
  refused: 0,
  errorBytes: 0,
  sentLine: 0,
  savedAt: new Date().toISOString(),
  isComplete: false,
});

/** Writes the state of an import. */
export const saveJournal = (path: string, state: ImportState): Promise<void> =>
  replaceFile(path, `${JSON.stringify(state, undefined, 2)}\n`);

/** @returns `undefined` when there is no journal. @throws CommandError when it is none of this command */
export async function readJournal(path: string): Promise<ImportState | undefined> {
  const json = await readJsonFile(path);
  if (json === undefined) return undefined;
  const state = ImportState.safeParse(json.value);
  if (state.success) return state.data;
  throw new CommandError(
    `${path} is not the journal of an import by this version, or was changed. To begin a new import, delete it`,
    exitCodes.notResumable,
  );
}
