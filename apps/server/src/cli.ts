#!/usr/bin/env node
/** Checks the Node.js version and sets V8's options before it loads the commands. */
import { requireNodeVersion } from './process/node-version.ts';
import { restartWithV8Options } from './process/v8-options.ts';

requireNodeVersion();
restartWithV8Options();
await import('./main.ts');
