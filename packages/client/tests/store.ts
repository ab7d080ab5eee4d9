import { inspect } from 'node:util';
import { createPetStore, PetStoreError, type PetStoreOptions } from '../src/index.ts';
import { serve } from './service.ts';

export const apiKey = 'pst_secret';

/** A store whose service answers as a test wants. It asks once, unless the test says otherwise. */
export async function storeAnswering(
  reply: Parameters<typeof serve>[0],
  options: Partial<PetStoreOptions> = {},
) {
  const service = await serve(reply);
  return { store: createPetStore({ baseUrl: service.baseUrl, apiKey, retries: 0, ...options }), ...service };
}

/** What a call throws. */
export async function failure(call: Promise<unknown>): Promise<PetStoreError> {
  const thrown = await call.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  if (thrown instanceof PetStoreError) return thrown;
  throw new TypeError(`Expected a PetStoreError, got ${inspect(thrown)}`);
}
