import { defineConfig } from 'vitest/config';
import { packageTests } from '../../vitest.shared.ts';

export default defineConfig({ test: packageTests });
