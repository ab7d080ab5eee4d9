import { defineConfig } from 'vitest/config';
import { patience, reporting } from '../../vitest.shared.ts';

export default defineConfig({ test: { ...reporting, ...patience, isolate: false } });
