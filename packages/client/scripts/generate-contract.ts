/** Writes src/contract.ts from the contract. Run it by `pnpm generate`, which puts biome into the PATH. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { renderContract } from './render-contract.ts';

const file = new URL('../src/contract.ts', import.meta.url);
const source = execFileSync('biome', ['format', '--stdin-file-path=src/contract.ts'], {
  input: renderContract(stringifyJson(openApiDocument())),
  encoding: 'utf8',
});
// A file that is up to date is not written, because lint and type checks may read it at the same time.
if (source !== readFileSync(file, 'utf8')) writeFileSync(file, source);
