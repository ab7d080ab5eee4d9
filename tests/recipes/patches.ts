import { readFileSync } from 'node:fs';

/** Files that the build writes from the contract. */
export const GENERATED = ['packages/contract/openapi.json', 'packages/client/src/contract.ts'];

/** @returns the files that a patch changes */
export const filesOf = (patch: string): string[] =>
  Array.from(readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.*)$/gm), ([, file = '']) => file);
