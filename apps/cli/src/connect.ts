import { createPetStore, type PetStore, type PetStoreOptions } from '@petstore/client';
import { readConfiguration } from './configuration.ts';
import { CommandError, exitCodes } from './exit-code.ts';

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
