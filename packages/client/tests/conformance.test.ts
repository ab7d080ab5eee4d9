import { checks } from '@petstore/conformance';
import { describe, test } from 'vitest';
import { createMemoryPetStore } from '../src/testing/index.ts';

describe('The pet store in memory conforms:', () => {
  const { baseUrl, apiKey, fetch } = createMemoryPetStore();
  for (const check of checks) test(check.name, () => check.run({ baseUrl, apiKey, fetch }));
});
