import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { formats } from '../output/format-pets.ts';

export const createServiceCommand = (name: string) =>
  new Command(name).option('--base-url <url>', 'base URL with its version prefix (or PETSTORE_BASE_URL)');

export const createPrintingCommand = (name: string) =>
  createServiceCommand(name).addOption(
    new Option('--format <format>', 'default: a table on a terminal, lines of JSON elsewhere').choices(
      formats,
    ),
  );

const MAX_WAIT_SECONDS = 1_800;
/** Outlasts a restart or a failover, also of a large database. */
const DEFAULT_WAIT_SECONDS = 300;

/** Limits each call of the service, not the whole command. */
export const waitOption = new Option('--wait <seconds>', 'how long to wait while the service is unavailable')
  .argParser(parseUpTo(MAX_WAIT_SECONDS))
  .default(DEFAULT_WAIT_SECONDS);

export function parseUpTo(maximum: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= maximum) return Number(text);
    throw new InvalidArgumentError(`It must be an integer from 1 to ${maximum}.`);
  };
}
