import { parseInt64 } from '@petstore/contract';
import { connect } from '../connect.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { createPetFormatter } from '../output/format-pets.ts';
import { print } from '../terminal.ts';
import { createPrintingCommand } from './service-command.ts';

export const get = createPrintingCommand('get')
  .description('print one pet')
  .argument('<id>', "the pet's id")
  .action(async (text, options) => {
    const id = parseInt64(text);
    if (id === undefined)
      throw new CommandError(`An id is an integer of 64 bits, not ${text}`, exitCodes.usage);
    const pet = await connect(options).getPet(id);
    await print(createPetFormatter(options)([pet]));
  });
