#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('petstore-conformance', new URL('../package.json', import.meta.url), { exitCode: 2 });
await import('./command/main.ts');
