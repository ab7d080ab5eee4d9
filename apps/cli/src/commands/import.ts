import { type Command, Option } from 'commander';
import * as z from 'zod';
import { MAX_WAIT_S } from '../connect.ts';
import { fileFormats } from '../file-format.ts';
import { createServiceCommand, parseUpTo } from './service-command.ts';

const MAX_CONCURRENCY = 1_000;
const Options = z.object({
  baseUrl: z.string().optional(),
  format: z.enum(fileFormats).optional(),
  dryRun: z.boolean().optional(),
  journal: z.string().optional(),
  errors: z.string().optional(),
  again: z.boolean().optional(),
  uncertain: z.enum(['send', 'skip']).optional(),
  concurrency: z.number(),
  wait: z.number(),
  progress: z.boolean().optional(),
});

const EXAMPLES = `
Each line is added once, however often the command is interrupted and run again:
what is done is in FILE.journal, what was refused in FILE.errors.ndjson.

Examples:
  pets import animals.csv
  pets import animals.ndjson --dry-run       check the lines, and add nothing
  zcat animals.ndjson.gz | pets import - --format ndjson
`;

export const importCommand = (): Command =>
  createServiceCommand('import')
    .description('add the pets of a CSV or NDJSON file, each once')
    .argument('<file>', 'a .csv or .ndjson file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'of the file, where its name does not tell').choices(fileFormats),
    )
    .option('--dry-run', 'print the lines that would be refused, and add nothing')
    .option('--again', 'add the pets of a file once more, after a complete import')
    .option('--journal <file>', 'where to keep what is done (default: FILE.journal; for - none)')
    .option('--errors <file>', 'where to write refused lines (default: FILE.errors.ndjson)')
    .addOption(
      new Option(
        '--uncertain <what>',
        'what to do with lines that may have been added over a day ago',
      ).choices(['send', 'skip']),
    )
    .option('--concurrency <count>', 'requests in flight at most', parseUpTo(MAX_CONCURRENCY), 192)
    .option('--wait <seconds>', 'how long to wait for a service that is away', parseUpTo(MAX_WAIT_S), 300)
    .option('--progress', 'show the progress also where standard error is no terminal')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, given: unknown) => {
      const { dryRun, ...options } = Options.parse(given);
      // Loaded when needed: other commands start sooner without them.
      if (dryRun) await (await import('../import/check-file.ts')).checkFile(path, options);
      else await (await import('../import/import-file.ts')).importFile(path, options);
    });
