import { PetStatus } from '@petstore/contract';
import { type Command, Option } from 'commander';
import * as z from 'zod';
import { connect } from '../connect.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type Property, properties, readNewPet, readProperty } from '../new-pet.ts';
import { chooseFormat, formatPet } from '../output/format-pets.ts';
import { print } from '../terminal.ts';
import { createPrintingCommand, PrintingOptions } from './service-command.ts';

const Options = PrintingOptions.extend({
  category: z.string(),
  status: z.optional(PetStatus),
  idempotencyKey: z.string().optional(),
});

/** Further properties of the contract, each with an option of the same name. */
const others = properties.filter((name) => !['name', 'categoryId', 'status'].includes(name));
const flagOf = (name: Property) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const EXAMPLES = `
Examples:
  pets add Ñandú --category 7 --status available
  pets add Rex --category 3 --idempotency-key order-17   adds one pet, however often it is run within a day
  pets add --category 3 -- --Rex--                       a name that begins with a hyphen
`;

export function add(): Command {
  const command = createPrintingCommand('add')
    .description('add a pet and print it')
    .argument('<name>', "the pet's name")
    .requiredOption('--category <id>', 'identifier of its category')
    .addOption(new Option('--status <status>', 'its availability').choices(PetStatus.options))
    .option('--idempotency-key <key>', 'adds the pet once over several runs')
    .addHelpText('after', EXAMPLES)
    .action(run);
  for (const name of others) command.option(`${flagOf(name)} <text>`, `its ${name}`);
  return command;
}

async function run(name: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const options = Options.parse(given);
  const { category, status, idempotencyKey } = options;
  const texts = { ...given, name, categoryId: category, status };
  const content = readNewPet(
    Object.fromEntries(properties.map((property) => [property, readOption(property, texts)])),
  );
  if ('problem' in content) throw new CommandError(content.problem, exitCodes.refused);
  const store = connect(options);
  const added = await store.createPet(content.pet, { idempotencyKey });
  await print(formatPet(added, chooseFormat(options)));
}

function readOption(property: Property, texts: Readonly<Record<string, unknown>>): unknown {
  const text = texts[property];
  return typeof text === 'string' ? readProperty(property, text) : undefined;
}
