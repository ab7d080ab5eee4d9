/** Writes `openapi.json`: run by `pnpm openapi` after a change to the contract. */
import { writeFileSync } from 'node:fs';
import { renderOpenApi } from './document.ts';

writeFileSync(new URL('../../openapi.json', import.meta.url), renderOpenApi());
