#!/usr/bin/env node
import { readConfig, StartupError } from './config.ts';
import { serve } from './serve.ts';

try {
  await serve(readConfig());
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`catalogue: ${error.message}\n`);
  process.exitCode = 1;
}
