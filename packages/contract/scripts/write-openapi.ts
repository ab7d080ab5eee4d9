/** Writes `openapi.json` from the contract: `pnpm generate`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { renderOpenApi } from '../src/openapi/document.ts';

const file = new URL('../openapi.json', import.meta.url);
const text = renderOpenApi();
// A file that is up to date is not written, because other tasks may read it at the same time.
if (text !== readFileSync(file, 'utf8')) writeFileSync(file, text);
