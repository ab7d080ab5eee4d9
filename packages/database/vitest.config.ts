import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    ...patience,
    isolate: false,
    globalSetup: fileURLToPath(import.meta.resolve('@petstore/test-support/databases/postgres-setup')),
  },
});
