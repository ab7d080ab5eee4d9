import { readFileSync } from 'node:fs';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { expect, test } from 'vitest';
import { renderContract } from '../scripts/render-contract.ts';

const json = stringifyJson(openApiDocument());

/** Without what the formatter changes: line breaks, separators and quotes. */
const tokens = (source: string) => source.replaceAll(/[\s,;|"']+/g, '');

test('src/contract.ts is generated from the contract as it is', () => {
  const source = readFileSync(new URL('../src/contract.ts', import.meta.url), 'utf8');
  expect(tokens(source)).toBe(tokens(renderContract(json)));
});

test('a version of the interface with another property gets it in its types and its checks', () => {
  const source = renderContract(
    json.replace(
      '"Pet":{"type":"object","properties":{',
      '$&"weight":{"type":"number","description":"In kg"},',
    ),
  );
  expect(source).toContain('/** In kg */\nweight?: number | undefined;');
  expect(source).toContain("Pet: { weight: 'integer|number|undefined', id: 'integer',");
});

test('a schema that has no type causes an error that says where to add it', () => {
  const unknown = json.replace('"type":"string","enum"', '"type":"dragon","values"');
  expect(() => renderContract(unknown)).toThrow(/no type for .*dragon.*scripts\/render-contract.ts/);
});
