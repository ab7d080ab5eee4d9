#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('pets', new URL('../package.json', import.meta.url));
await import('./main.ts');
