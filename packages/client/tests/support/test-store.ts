import { inspect } from 'node:util';
import { createPetStore, PetStoreError, type PetStoreOptions } from '../../src/index.ts';
import { serveReplies } from './stub-service.ts';

export const apiKey = 'pst_secret';

/** A store whose service sends the given reply. The store retries only if `options` say so. */
export async function storeWithReply(
  reply: Parameters<typeof serveReplies>[0],
  options: Partial<PetStoreOptions> = {},
) {
  const service = await serveReplies(reply);
  return { store: createPetStore({ baseUrl: service.baseUrl, apiKey, retries: 0, ...options }), ...service };
}

/** The PetStoreError that a call throws. */
export async function errorOf(call: Promise<unknown>): Promise<PetStoreError> {
  const thrown = await call.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  if (thrown instanceof PetStoreError) return thrown;
  throw new TypeError(`Expected a PetStoreError, got ${inspect(thrown)}`);
}
