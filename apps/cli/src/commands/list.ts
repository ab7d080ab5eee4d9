import { PetStatus, pageSize } from '@petstore/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { connect } from '../connect.ts';
import { chooseFormat, createPetFormatter, formats } from '../output/format-pets.ts';
import { print } from '../terminal.ts';
import { createServiceCommand, formatOption, jsonOption } from './service-command.ts';

const Options = z.object({
  baseUrl: z.string().optional(),
  status: z.optional(PetStatus),
  limit: z.number(),
  all: z.boolean().optional(),
  json: z.boolean().optional(),
  format: z.enum(formats).optional(),
});

const EXAMPLES = `
Examples:
  pets list                                  the first ${pageSize.default} pets
  pets list --status available --limit 50
  pets list --all | jq .name                 every pet, one line of JSON for each
`;

export const list = (): Command =>
  createServiceCommand('list')
    .description('list pets, ordered by id')
    .addOption(new Option('--status <status>', 'only pets with this status').choices(PetStatus.options))
    .option('--limit <count>', 'how many pets', parseCount, pageSize.default)
    .addOption(new Option('--all', 'every pet').conflicts('limit'))
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (given: unknown) => {
      const options = Options.parse(given);
      const { store } = await connect(options);
      const maxItems = options.all ? Number.POSITIVE_INFINITY : options.limit;
      const query = { status: options.status, maxItems, pageSize: Math.min(maxItems, pageSize.maximum) };
      const formatter = createPetFormatter(chooseFormat(options));
      for await (const pets of store.pets(query).pages()) await print(formatter.format(pets));
      await print(formatter.end());
    });

function parseCount(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a positive integer.');
}
