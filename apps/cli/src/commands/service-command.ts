import { createPetStore, type PetStore, type PetStoreOptions } from '@petstore/client';
import { Command, Option } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { formats } from '../output/format-pets.ts';

/** Creates a command that calls the service. */
export function createServiceCommand(name: string): Command {
  return new Command(name).option(
    '--base-url <url>',
    'base URL of the service, with its version prefix (or PETSTORE_BASE_URL)',
  );
}

/** The options of commands that print pets. */
export const jsonOption = () => new Option('--json', 'print JSON').conflicts('format');
export const formatOption = () =>
  new Option('--format <format>', 'print a table, JSON or lines of JSON').choices(formats);

/** Creates the client of the configured service. */
export async function connect(
  options: { baseUrl?: string | undefined },
  connection: Partial<PetStoreOptions> = {},
): Promise<{ store: PetStore; baseUrl: string }> {
  const configuration = await readConfiguration(options);
  try {
    // Whoever uses a terminal cannot act on a deprecation; the developers of this command read the contract.
    const store = createPetStore({ ...configuration, onDeprecation: false, ...connection });
    return { store, baseUrl: configuration.baseUrl };
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}
