import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...reporting,
    ...patience,
    // A zone other than UTC: tests notice dates that depend on the time zone of the machine.
    env: { TZ: 'Asia/Tokyo' },
    // Loads the sources once, not for each file.
    isolate: false,
    maxWorkers: '100%',
  },
});
