import { defineConfig } from 'vitest/config';
import { patience, reporting } from './vitest.shared.ts';

export default defineConfig({
  // To load the dependencies once, not for each file, saves time.
  test: { ...reporting, ...patience, include: ['tests/*.test.ts'], isolate: false },
});
