import { PetStatus } from '@petstore/contract';
import { type Command, Option } from 'commander';
import * as z from 'zod';
import { MAX_WAIT_S } from '../connect.ts';
import { fileFormats } from '../file-format.ts';
import { createServiceCommand, parseUpTo } from './service-command.ts';

const Options = z.object({
  baseUrl: z.string().optional(),
  status: z.optional(PetStatus),
  format: z.enum(fileFormats).optional(),
  output: z.string().optional(),
  wait: z.number(),
});

const EXAMPLES = `
With --output the pets are in FILE.partial until all of them are there.

Examples:
  pets export --output animals.csv
  pets export --status sold | gzip > sold.ndjson.gz
`;

export const exportCommand = (): Command =>
  createServiceCommand('export')
    .description('write all pets as CSV or NDJSON')
    .addOption(new Option('--status <status>', 'only pets with this status').choices(PetStatus.options))
    .addOption(
      new Option('--format <format>', 'where the name of the file does not tell').choices(fileFormats),
    )
    .option('--output <file>', 'where to write them (default: standard output)')
    .option('--wait <seconds>', 'how long to wait for a service that is away', parseUpTo(MAX_WAIT_S), 300)
    .addHelpText('after', EXAMPLES)
    .action(async (given: unknown) => {
      // Loaded when needed: other commands start sooner without it.
      await (await import('../export-pets.ts')).exportPets(Options.parse(given));
    });
