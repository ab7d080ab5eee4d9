import { hash } from 'node:crypto';
import { Option } from '@commander-js/extra-typings';
import { connectPatiently } from '../connect.ts';
import { CommandError, describeError, exitCodeOf, exitCodes } from '../exit-code.ts';
import { fileFormats, formatOf } from '../file-format.ts';
import { readCsv } from '../import/csv.ts';
import { type FileRecord, openLines } from '../import/lines.ts';
import { readNdjson } from '../import/ndjson.ts';
import { RefusedRecords } from '../import/refused-records.ts';
import { onInterruption } from '../interruption.ts';
import { hasBlankName } from '../new-pet.ts';
import { print, showProgress } from '../terminal.ts';
import { createServiceCommand, waitOption } from './service-command.ts';

const EXAMPLES = `
After an interruption or a failure, run the same command again within a day: no line is added twice.

Examples:
  pets import animals.csv --errors refused.csv
  pets import animals.ndjson --dry-run       check the lines, and add nothing
  zcat animals.ndjson.gz | pets import - --format ndjson
`;

export const importCommand = createServiceCommand('import')
  .description('add the pets of a CSV or NDJSON file, each once')
  .argument('<file>', 'a .csv or .ndjson file, or - for standard input')
  .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(fileFormats))
  .option('--dry-run', 'check the lines, and add nothing')
  .option('--allow-blank-names', 'add lines with a blank name, which are refused otherwise')
  .option('--errors <file>', 'where to write refused lines, in the format of the file')
  .option('--batch <name>', 'name of this import: a new name adds all lines again')
  .addOption(waitOption)
  .addHelpText('after', EXAMPLES);
importCommand.action(importFile);

type ImportOptions = ReturnType<typeof importCommand.opts>;

/**
 * Requests at a time, as many as the connections that `createNodeFetch` opens. With 16, a pet takes 1.5 times the
 * server's processor time, because fewer pets share a commit. With 128 it takes 0.9 times, but deploy/nginx.conf allows
 * an address only 100 requests at a time.
 */
const CONCURRENCY = 64;

const readers = { csv: readCsv, ndjson: readNdjson };

type Counts = Record<'added' | 'replayed' | 'refused', number>;

/**
 * Adds the pets of a file, many at a time, and prints their number. Memory does not depend on the length of the file.
 * No progress is saved: in another run, the service recognises each line by its Idempotency-Key, for a day.
 */
async function importFile(path: string, options: ImportOptions): Promise<void> {
  const failure = new AbortController();
  const { signal } = failure;
  const records = readers[options.format ?? formatOf(path)](openLines(path, signal));
  const store = options.dryRun ? undefined : await connectPatiently(options);
  using refused = new RefusedRecords(options.errors, path);
  const counts: Counts = { added: 0, replayed: 0, refused: 0 };
  const formatCount = () => `${(counts.added + counts.replayed + counts.refused).toLocaleString('en')} lines`;

  async function work(): Promise<void> {
    // All workers take records from one iterator, which ends for all when one worker throws.
    for await (const record of records) {
      const outcome = await addOrRefuse(record).catch(fail);
      counts[outcome] += 1;
    }
  }

  /** Ends the reading too: a slow pipe would keep the other workers waiting. */
  function fail(error: unknown): never {
    failure.abort(error);
    throw error;
  }

  async function addOrRefuse(record: FileRecord): Promise<keyof Counts> {
    const { content, line } = record;
    const refuse = (reason: string) => {
      refused.add(record, reason);
      return 'refused' as const;
    };
    if ('problem' in content) return refuse(content.problem);
    if (hasBlankName(content.pet) && !options.allowBlankNames) {
      return refuse('name is blank: --allow-blank-names adds it');
    }
    if (store === undefined) return 'added';
    try {
      const idempotencyKey = createKey(options.batch ?? '', line, content.recordJson);
      const { headers } = await store.withResponse.createPet(content.pet, { idempotencyKey });
      return headers.get('Idempotency-Replayed') === 'true' ? 'replayed' : 'added';
    } catch (error) {
      if (exitCodeOf(error) !== exitCodes.refused) throw error;
      return refuse(describeError(error));
    }
  }

  const describeRest = () =>
    options.dryRun
      ? 'Nothing was added'
      : `${formatCount()} are done: run the same command again within a day to go on. It adds no line twice`;
  onInterruption(describeRest);
  {
    using _progress = showProgress(formatCount);
    const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
    const failed = results.find((result) => result.status === 'rejected');
    // The signal has the first error of a record, after which reading fails with an AbortError.
    if (failed) throw explain(signal.reason ?? failed.reason, describeRest());
  }
  await print(summarize(counts, options));
  if (counts.refused > 0) process.exitCode = exitCodes.refused;
}

function explain(error: unknown, rest: string): unknown {
  // The same command would fail again.
  if (error instanceof CommandError) return error;
  return new CommandError(`${describeError(error)}. ${rest}`, exitCodeOf(error));
}

function summarize({ added, replayed, refused }: Counts, { dryRun }: ImportOptions): string {
  if (dryRun) return `${added} would be added, ${refused} refused\n`;
  const earlier = replayed > 0 ? `, ${replayed} had been added before` : '';
  return `${added} added${earlier}, ${refused} refused\n`;
}

/**
 * Equal records on different lines get different keys, and a corrected line gets a new key. The key does not depend on
 * the file's name, because a file may be moved or come from a pipe.
 */
const createKey = (batch: string, line: number, recordJson: string): string =>
  hash('sha256', JSON.stringify([batch, line, recordJson]), 'base64url');
