import { isPetStoreError, type PetStore } from '@petstore/client';

/** What a page of the shelter says about its animals. */
export async function describeAnimals(store: PetStore): Promise<string> {
  try {
    const names: string[] = [];
    for await (const { name } of store.pets({ status: 'available', maxItems: 3 })) names.push(name);
    return names.length === 0 ? 'No animal waits for a home.' : `Waiting for a home: ${names.join(', ')}.`;
  } catch (error) {
    if (!isPetStoreError(error)) throw error;
    return error.isRetryable ? 'The catalogue is away. Please come back later.' : 'Something is wrong here.';
  }
}
