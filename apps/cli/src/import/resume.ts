import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type ImportState, newImport, readJournal } from './journal.ts';

/**
 * How long after its interruption an import can be resumed without a doubt. The service recognises a repeated
 * creation for 24 hours at least; an hour is for requests that waited, and for clocks that differ.
 */
const RESUMABLE_MS = 23 * 60 * 60 * 1000;

/** What makes an import the same one. */
type Identity = Pick<ImportState, 'baseUrl' | 'input' | 'errorFile'>;

export interface ResumeOptions {
  /** Add the pets once more, after an import that is complete. */
  again?: boolean | undefined;
  /** What to do with lines that the service can no longer tell to be added. @default the import is refused */
  uncertain?: 'send' | 'skip' | undefined;
}

/**
 * Goes on with an earlier import, or begins one.
 *
 * @returns where the import begins, and whether it may write to a file of errors that exists
 * @throws CommandError when the journal is that of another import
 */
export async function resumeImport(
  journal: string,
  identity: Identity,
  { again }: ResumeOptions,
): Promise<{ state: ImportState; ownsErrorFile: boolean }> {
  const earlier = await readJournal(journal);
  if (earlier) {
    const problem = describeDifference(journal, earlier, identity, again);
    if (problem) throw notResumable(`${problem} (${journal}). To begin a new import, delete it`);
  }
  if (again && !earlier?.isComplete) {
    throw notResumable('There is no complete import to repeat: run without --again');
  }
  // With other keys, the service takes the pets for other ones.
  const state = again ? newImport(identity, randomUUID()) : (earlier ?? newImport(identity));
  // A complete import that refused nothing has no such file.
  const hasErrorFile = earlier !== undefined && (earlier.errorBytes > 0 || !earlier.isComplete);
  return { state, ownsErrorFile: hasErrorFile && earlier.errorFile === identity.errorFile };
}

function describeDifference(
  journal: string,
  earlier: ImportState,
  { baseUrl, input, errorFile }: Identity,
  again = false,
): string | undefined {
  if (earlier.baseUrl !== baseUrl) return `The journal is that of an import into ${earlier.baseUrl}`;
  if (earlier.input?.sha256 !== input?.sha256) return 'The file is not the one that the journal tells of';
  if (earlier.errorFile === errorFile || again) return undefined;
  return `The journal is that of an import with --errors ${join(dirname(journal), earlier.errorFile)}`;
}

/** @returns the line through which records are not sent. @throws CommandError when the user must decide */
export function decideUncertainLines(
  { done, sentLine, savedAt }: ImportState,
  { uncertain }: ResumeOptions,
): number {
  // A time that is to come is as doubtful as one that is long past: the clock was changed.
  const isCertain = Math.abs(Date.now() - Date.parse(savedAt)) < RESUMABLE_MS;
  if (sentLine <= done.line || isCertain || uncertain === 'send') return 0;
  if (uncertain === 'skip') return sentLine;
  throw notResumable(
    `The import was interrupted at ${savedAt}, and the service does not recognise any more whether lines ` +
      `${done.line + 1} to ${sentLine} were added. Choose: --uncertain skip or --uncertain send`,
  );
}

const notResumable = (message: string) => new CommandError(message, exitCodes.notResumable);
