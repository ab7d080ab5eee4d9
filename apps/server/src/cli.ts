#!/usr/bin/env node
/** Checks the Node.js version and sets V8's options before it loads the commands. */
import { requireNodeVersion } from './process/node-version.ts';
import { restartWithV8Options } from './process/v8-options.ts';

requireNodeVersion();
const [command, ...options] = process.argv.slice(2);
const isLive = options.join(' ') === '--live';
if (command === 'healthcheck' && (isLive || options.length === 0)) {
  // Run every few seconds in a container: it loads nothing of the service.
  const { healthcheck } = await import('./commands/healthcheck.ts');
  await healthcheck({ live: isLive });
} else {
  restartWithV8Options();
  await import('./main.ts');
}
