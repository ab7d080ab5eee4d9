import { parseInt64 } from '@petstore/contract';
import type { Command } from 'commander';
import * as z from 'zod';
import { connect } from '../connect.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { chooseFormat, formatPet, formats } from '../output/format-pets.ts';
import { print } from '../terminal.ts';
import { createServiceCommand, formatOption, jsonOption } from './service-command.ts';

const Options = z.object({
  baseUrl: z.string().optional(),
  json: z.boolean().optional(),
  format: z.enum(formats).optional(),
});

const EXAMPLES = `
Examples:
  pets get 42
  pets get 42 --json | jq -r .status
`;

export const get = (): Command =>
  createServiceCommand('get')
    .description('print one pet')
    .argument('<id>', "the pet's id")
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (text: string, given: unknown) => {
      const options = Options.parse(given);
      const id = parseInt64(text);
      if (id === undefined) throw new CommandError(`An id is an integer, not ${text}`, exitCodes.usage);
      const { store } = await connect(options);
      await print(formatPet(await store.getPet(id), chooseFormat(options)));
    });
