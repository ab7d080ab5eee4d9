import { createMemoryPetStore } from '@petstore/client/testing';
import type { Fetch } from '../src/target.ts';

export const API_KEY = 'reference-key';
export const READ_API_KEY = 'reference-read-key';

/** A correct deployment, in memory. Its ids begin just below 2^53, so that a check that rounds one fails. */
export const createReferenceServer = (): Fetch =>
  createMemoryPetStore({ apiKey: API_KEY, readApiKey: READ_API_KEY, firstId: 2n ** 53n - 10n }).fetch;
