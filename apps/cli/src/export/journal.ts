import * as z from 'zod';
import { CommandError, exitCodes } from '../exit-code.ts';
import { fileFormats } from '../file-format.ts';
import { readJsonFile, replaceFile } from '../files.ts';

/** What a later run needs to go on. */
const ExportState = z.object({
  journal: z.literal('pets export 1'),
  baseUrl: z.string(),
  format: z.enum(fileFormats),
  status: z.string().optional(),
  /** The pets after this cursor are to be written; `undefined` for all. */
  cursor: z.string().optional(),
  /** How long the file is without them. */
  bytes: z.int().min(0),
  count: z.int().min(0),
  isComplete: z.boolean(),
});
export type ExportState = z.infer<typeof ExportState>;

export const saveJournal = (path: string, state: ExportState): Promise<void> =>
  replaceFile(path, `${JSON.stringify(state, undefined, 2)}\n`);

/**
 * Reads where an earlier export ended.
 *
 * @param first how this export begins
 * @returns `undefined` when there was none
 * @throws CommandError when it was an export of something else
 */
export async function readJournal(path: string, first: ExportState): Promise<ExportState | undefined> {
  const json = await readJsonFile(path);
  if (json === undefined) return undefined;
  const { data: state } = ExportState.safeParse(json.value);
  if (state && (['baseUrl', 'format', 'status'] as const).every((name) => state[name] === first[name]))
    return state;
  throw new CommandError(
    `${path} is the journal of another export: finish that one, or delete the journal`,
    exitCodes.notResumable,
  );
}
