/** Writes src/contract.ts from the contract. */
import { writeFileSync } from 'node:fs';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { renderContract } from './render-contract.ts';

writeFileSync(
  new URL('../src/contract.ts', import.meta.url),
  renderContract(stringifyJson(openApiDocument())),
);
