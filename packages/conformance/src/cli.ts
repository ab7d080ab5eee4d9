#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('petstore-conformance', new URL('../package.json', import.meta.url), { exitCode: 2 });
const { main } = await import('./command/main.ts');
await main(process.argv.slice(2));
// Connections that a check left open do not delay the end.
process.stdout.write('', () => process.exit());
