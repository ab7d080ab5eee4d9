#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('petstore-conformance', new URL('../package.json', import.meta.url), { exitCode: 2 });
// Process 1 of a container ignores signals without a listener.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
// Without a listener the error would end the process with 1, as if a check had failed.
process.stdout.on('error', ({ message }) => {
  process.stderr.write(`petstore-conformance: cannot write to standard output: ${message}\n`);
  process.exit(2);
});
const { main } = await import('./command/main.ts');
await main(process.argv.slice(2));
// Exits once the output is written: connections that a check left open would delay it. The listener above sees errors.
process.stdout.write('', (error) => {
  if (!error) process.exit();
});
