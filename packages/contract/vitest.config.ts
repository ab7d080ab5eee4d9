import { defineConfig } from 'vitest/config';
import { packageTests } from '../../vitest.shared.ts';

export default defineConfig({
  test: {
    ...packageTests,
    // A zone other than UTC: tests notice dates that depend on the time zone of the machine.
    env: { TZ: 'Asia/Tokyo' },
  },
});
