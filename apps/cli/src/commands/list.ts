import { Option } from '@commander-js/extra-typings';
import { PetStatus, pageSize } from '@petstore/contract';
import { connect } from '../connect.ts';
import { createPetFormatter } from '../output/format-pets.ts';
import { note, print } from '../terminal.ts';
import { createPrintingCommand, parseUpTo } from './service-command.ts';

export const list = createPrintingCommand('list')
  .description('list pets, ordered by id')
  .addOption(new Option('--status <status>', 'only pets with this status').choices(PetStatus.options))
  .option('--limit <count>', 'how many pets', parseUpTo(Number.MAX_SAFE_INTEGER), pageSize.default)
  .addOption(new Option('--all', 'every pet').conflicts('limit'))
  .action(async (options) => {
    const store = connect(options);
    const limit = options.all ? Number.POSITIVE_INFINITY : options.limit;
    // A further pet tells whether there are more than the limit.
    const maxItems = limit + 1;
    const query = { status: options.status, maxItems, pageSize: Math.min(maxItems, pageSize.maximum) };
    const format = createPetFormatter(options);
    let count = 0;
    for await (const { body } of store.pets(query).pages()) {
      await print(format(body.slice(0, limit - count)));
      count += body.length;
    }
    if (count > limit) note(`There are more than these ${limit} pets: use --limit or --all`);
  });
