#!/usr/bin/env node
import { requireNode } from '@petstore/contract/require-node';

requireNode('catalogue', new URL('../package.json', import.meta.url));
await import('./main.ts');
