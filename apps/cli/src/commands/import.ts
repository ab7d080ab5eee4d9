import { Option } from '@commander-js/extra-typings';
import { fileFormats } from '../file-format.ts';
import { importFile } from '../import/import-file.ts';
import { createServiceCommand, waitOption } from './service-command.ts';

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
    .option('--batch <name>', 'name of this import: a new name adds all lines again')
    .addOption(waitOption)
    .addHelpText('after', EXAMPLES)
    .action(importFile);
