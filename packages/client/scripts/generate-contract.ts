/** Writes src/contract.ts from a version of the contract. `pnpm generate` puts biome into the PATH. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { v1 } from '@petstore/contract';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { renderContract } from './render-contract.ts';

/** The version of the interface that the client speaks. `testing/memory-pet-store.ts` names it too. */
const version = v1;

const file = new URL('../src/contract.ts', import.meta.url);
const source = execFileSync('biome', ['format', '--stdin-file-path=src/contract.ts'], {
  input: renderContract(stringifyJson(openApiDocument({}, version))),
  encoding: 'utf8',
});
// Lint and type checks may read the file at the same time, so it is written only when it changes.
if (source !== readFileSync(file, 'utf8')) writeFileSync(file, source);
