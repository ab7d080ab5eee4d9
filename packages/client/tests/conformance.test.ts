import { checks } from '@petstore/conformance';
import { describe, test } from 'vitest';
import { createMemoryPetStore } from '../src/testing/index.ts';

describe('the in-memory pet store conforms to the interface', () => {
  const { baseUrl, apiKey, fetch } = createMemoryPetStore();
  for (const check of checks) test(check.name, () => check.run({ baseUrl, apiKey, fetch }));
});
