import { readFileSync } from 'node:fs';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { v2 } from '@petstore/test-support/second-version';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { renderContract } from '../scripts/render-contract.ts';
import { version } from '../src/version.ts';

const json = stringifyJson(openApiDocument());

/** Without what the formatter changes: line breaks, separators and quotes. */
const tokens = (source: string) => source.replaceAll(/[\s,;|"']+/g, '');

test('src/contract.ts is generated from the contract as it is', () => {
  const source = readFileSync(new URL('../src/contract.ts', import.meta.url), 'utf8');
  expect(tokens(source)).toBe(tokens(renderContract(json)));
});

test('an editor strikes the deprecated operation through, and says until when it is there', () => {
  const source = renderContract(json);
  expect(source).toMatch(/@deprecated .* removed on 5 December 2030: .*\n *getPet\(/);
  expect(source.match(/@deprecated/g)).toHaveLength(1);
});

test('src/index.ts exports the type of each schema of the contract', () => {
  const source = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8');
  const [exported = ''] = /export type \{[^}]*\} from '.\/contract.ts'/.exec(source) ?? [];
  const types = Array.from(
    renderContract(json).matchAll(/^.*export (?:type|interface) (\w+)/gm),
    ([, name]) => name,
  );
  const internal = ['Bodies', 'Operations', 'PaginatedOperation'];
  expect(exported.match(/\w+(?=,)/g)).toEqual(
    expect.arrayContaining(types.filter((name = '') => !internal.includes(name))),
  );
});

test('src/version.ts has the version of the package', () => {
  expect(version).toBe(manifest.version);
});

test('a version of the interface with another property gets it in its types and its checks', () => {
  const source = renderContract(
    json.replace(
      '"Pet":{"type":"object","properties":{',
      '$&"bodyWeight":{"type":"number","description":"In kg"},',
    ),
  );
  expect(source).toContain('/** In kg */\nbodyWeight?: number | undefined;');
  expect(source).toContain("Pet: { bodyWeight: 'integer|number|undefined', id: 'integer',");
});

test('two operations on one path share the type of its parameter, and a body without a key is never repeated', () => {
  const document = JSON.parse(json);
  const path = document.paths['/pets/{petId}'];
  const parameters = path.get.parameters.filter((parameter: { in: string }) => parameter.in === 'path');
  const requestBody = document.paths['/pets'].post.requestBody;
  const deletePet = { operationId: 'deletePet', description: 'Deletes.', parameters, responses: { 204: {} } };
  const patchPet = { ...deletePet, operationId: 'patchPet', requestBody };
  const source = renderContract(
    JSON.stringify({
      ...document,
      paths: { ...document.paths, '/pets/{petId}': { ...path, delete: deletePet, patch: patchPet } },
    }),
  );
  expect(source.match(/export type PetId\b/g)).toHaveLength(1);
  expect(source).toContain(
    "deletePet(petId: PetId, options?: CallOptions): Promise<Results['deletePet'] | Otherwise>;",
  );
  expect(source).toContain('patchPet(petId: PetId, newPet: NewPet, options?: CallOptions)');
  expect(source).toContain("deletePet: (petId, options) => call('deletePet', { petId }, options)");
  expect(source).toContain("patchPet: (petId, body, options) => call('patchPet', { petId, body }, options)");
  expect(source).toContain("deletePet: { method: 'DELETE', path: '/pets/{petId}', retry: 'always'");
  expect(source).toContain("patchPet: { method: 'PATCH', path: '/pets/{petId}', retry: 'never'");
});

test('a schema that has no type causes an error that says where to add it', () => {
  const unknown = json.replace('"type":"string","enum"', '"type":"dragon","values"');
  expect(() => renderContract(unknown)).toThrow(/no type for .*dragon.*scripts\/render-contract.ts/);
});

test('a second version of the interface gets types and routes of its own', () => {
  const source = renderContract(stringifyJson(openApiDocument({}, v2)));
  expect(source).toContain('category: string;');
  expect(source).not.toContain('categoryId');
  expect(source).not.toContain('getPet');
});
