import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

// Without isolation, the dependencies are loaded once, not for each file.
export default defineConfig({ test: { ...reporting, ...patience, isolate: false, maxWorkers: '100%' } });
