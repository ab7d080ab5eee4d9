/** Adds a pet for each line of standard input: "Ada", or "Ada,7" with a category. Prints what is available then. */
import { createInterface } from 'node:readline';
import { createPetStore, isPetStoreError } from '@petstore/client';

const store = createPetStore({
  baseUrl: process.env.PETSTORE_BASE_URL ?? '',
  apiKey: process.env.PETSTORE_API_KEY ?? '',
});

const DEFAULT_CATEGORY = '1';

try {
  let line = 0;
  for await (const text of createInterface({ input: process.stdin })) {
    line += 1;
    const [name = '', category = DEFAULT_CATEGORY] = text.split(',');
    // A key of the line's own: when this script is run again within a day, each pet is still added once.
    const idempotencyKey = encodeURIComponent(`add-pets ${line} ${text}`).slice(0, 255);
    // As a bigint, because a number would round a category beyond 2^53.
    await store.createPet({ name, categoryId: BigInt(category), status: 'available' }, { idempotencyKey });
  }
  for await (const { id, name } of store.pets({ status: 'available' })) console.log(`${id} ${name}`);
} catch (error) {
  if (!isPetStoreError(error)) throw error;
  console.error(`${error.message} (${error.code}, request ${error.requestId ?? 'unknown'})`);
  process.exitCode = error.isRetryable ? 75 : 1;
}
