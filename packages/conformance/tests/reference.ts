import { createMemoryPetStore } from '@petstore/client/testing';
import type { Fetch } from '../src/target.ts';

export const API_KEY = 'reference-key';
export const READ_API_KEY = 'reference-read-key';

/**
 * A correct deployment, in memory. Its ids begin just below 2^53, so that a check that rounds one fails.
 *
 * @param petCount how many pets it has already
 */
export const createReferenceServer = (petCount = 0): Fetch =>
  createMemoryPetStore({
    apiKey: API_KEY,
    readApiKey: READ_API_KEY,
    firstId: 2n ** 53n - 10n,
    pets: Array.from({ length: petCount }, () => ({ name: 'Ñandú', categoryId: 1 })),
  }).fetch;
