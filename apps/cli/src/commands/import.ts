import { Option } from '@commander-js/extra-typings';
import { fileFormats } from '../file-format.ts';
import { importFile } from '../import/import-file.ts';
import { createServiceCommand, parseUpTo, waitOption } from './service-command.ts';

const MAX_CONCURRENCY = 1_000;

/**
 * With 16, fewer pets share a commit, and take 1.5 times the server's processor time. With 128 they take 0.9 times, but
 * deploy/nginx.conf allows an address 100 requests at a time.
 */
const CONCURRENCY = 64;

const EXAMPLES = `
After an interruption or a failure, run the same command again within a day: no line is added twice.

Examples:
  pets import animals.csv --errors refused.csv
  pets import animals.ndjson --dry-run       check the lines, and add nothing
  zcat animals.ndjson.gz | pets import - --format ndjson
`;

export const importCommand = () =>
  createServiceCommand('import')
    .description('add the pets of a CSV or NDJSON file, each once')
    .argument('<file>', 'a .csv or .ndjson file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'format of the file (default: by its name)').choices(fileFormats),
    )
    .option('--dry-run', 'check the lines, and add nothing')
    .option('--allow-blank-names', 'add lines with a blank name, which are refused otherwise')
    .option('--errors <file>', 'where to write refused lines, in the format of the file')
    .option('--batch <name>', 'name of this import: a new name adds all lines again', '')
    .option('--concurrency <count>', 'how many requests at a time', parseUpTo(MAX_CONCURRENCY), CONCURRENCY)
    .addOption(waitOption)
    .addHelpText('after', EXAMPLES)
    .action(importFile);
