import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { IdempotencyKey, PetStatus } from '@petstore/contract';
import { connect } from '../connect.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { hasBlankName, readNewPet, readProperty } from '../new-pet.ts';
import { createPetFormatter } from '../output/format-pets.ts';
import { print } from '../terminal.ts';
import { createPrintingCommand } from './service-command.ts';

const EXAMPLES = `
Examples:
  pets add Ñandú --category 7 --status available
  pets add Rex --category 3 --idempotency-key order-17   adds one pet, however often it is run within a day
  pets add --category 3 -- --Rex--                       a name that begins with a hyphen
`;

export const add = createPrintingCommand('add')
  .description('add a pet and print it')
  .argument('<name>', "the pet's name")
  .requiredOption('--category <id>', 'identifier of its category')
  .addOption(new Option('--status <status>', 'its availability').choices(PetStatus.options))
  .option(
    '--idempotency-key <key>',
    'add one pet, even if the command runs again with this key',
    parseIdempotencyKey,
  )
  .addHelpText('after', EXAMPLES)
  .action(async (name, options) => {
    const { category, status, idempotencyKey } = options;
    const content = readNewPet({ name, categoryId: readProperty('categoryId', category), status });
    if ('problem' in content) throw new CommandError(content.problem, exitCodes.refused);
    if (hasBlankName(content.pet)) throw new CommandError('name must not be blank', exitCodes.refused);
    // Node.js replaces bytes that are not UTF-8, for example on a terminal with Latin-1.
    if (name.includes('\ufffd')) throw new CommandError('name has U+FFFD or bad UTF-8', exitCodes.refused);
    const added = await connect(options).createPet(content.pet, { idempotencyKey });
    await print(createPetFormatter(options)([added]));
  });

function parseIdempotencyKey(text: string): string {
  const { data, error } = IdempotencyKey.safeParse(text);
  if (data === undefined) throw new InvalidArgumentError(`The key ${error.issues[0]?.message}.`);
  return data;
}
