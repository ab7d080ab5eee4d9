/** Writes src/contract.ts for the version in src/testing/interface.ts. `pnpm generate` puts biome into the PATH. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { version } from '../src/testing/interface.ts';
import { renderContract } from './render-contract.ts';

const file = new URL('../src/contract.ts', import.meta.url);
const source = execFileSync('biome', ['format', '--stdin-file-path=src/contract.ts'], {
  input: renderContract(stringifyJson(openApiDocument({}, version))),
  encoding: 'utf8',
});
// Lint and type checks may read the file at the same time, so it is written only when it changes.
if (source !== readFileSync(file, 'utf8')) writeFileSync(file, source);
