import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

// Each worker loads the sources once. By default, a core would stay idle.
export default defineConfig({ test: { ...reporting, ...patience, isolate: false, maxWorkers: '100%' } });
