#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('petstore-conformance', new URL('../package.json', import.meta.url), { exitCode: 2 });
// Process 1 of a container ignores signals without a listener.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
const { main } = await import('./command/main.ts');
await main(process.argv.slice(2));
// Connections that a check left open do not delay the end.
process.stdout.write('', () => process.exit());
