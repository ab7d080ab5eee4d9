import { Option } from '@commander-js/extra-typings';
import { PetStatus } from '@petstore/contract';
import { connect } from '../connect.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { type Property, properties, readNewPet, readProperty } from '../new-pet.ts';
import { chooseFormat, formatPet } from '../output/format-pets.ts';
import { print } from '../terminal.ts';
import { createPrintingCommand } from './service-command.ts';

/** Properties that a later contract adds: each gets an option of the same name. */
const others = properties.filter((name) => !['name', 'categoryId', 'status'].includes(name));
const flagOf = (name: Property) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const EXAMPLES = `
Examples:
  pets add Ñandú --category 7 --status available
  pets add Rex --category 3 --idempotency-key order-17   adds one pet, however often it is run within a day
  pets add --category 3 -- --Rex--                       a name that begins with a hyphen
`;

export function add() {
  const command = createPrintingCommand('add')
    .description('add a pet and print it')
    .argument('<name>', "the pet's name")
    .requiredOption('--category <id>', 'identifier of its category')
    .addOption(new Option('--status <status>', 'its availability').choices(PetStatus.options))
    .option('--idempotency-key <key>', 'add one pet, even if the command runs again with this key')
    .addHelpText('after', EXAMPLES)
    .action(async (name, options) => {
      const { category: categoryId, idempotencyKey } = options;
      const texts = new Map<string, unknown>(Object.entries({ ...options, name, categoryId }));
      const values = properties.map((property) => [property, readOption(property, texts.get(property))]);
      const content = readNewPet(Object.fromEntries(values));
      if ('problem' in content) throw new CommandError(content.problem, exitCodes.refused);
      const added = await connect(options).createPet(content.pet, { idempotencyKey });
      await print(formatPet(added, chooseFormat(options)));
    });
  for (const name of others) command.option(`${flagOf(name)} <text>`, `its ${name}`);
  return command;
}

const readOption = (property: Property, text: unknown) =>
  typeof text === 'string' ? readProperty(property, text) : undefined;
