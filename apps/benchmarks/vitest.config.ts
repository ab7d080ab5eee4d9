import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

// To load the dependencies once, not for each file, saves time.
export default defineConfig({ test: { ...reporting, ...patience, isolate: false, maxWorkers: '100%' } });
