import { readFileSync } from 'node:fs';
import { v1 } from '@petstore/contract';
import { stringifyJson } from '@petstore/contract/json';
import { openApiDocument } from '@petstore/contract/openapi';
import { v2 } from '@petstore/test-support/second-version';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { renderContract } from '../scripts/render-contract.ts';
import { version } from '../src/version.ts';

const json = stringifyJson(openApiDocument());

/** Removes the characters that the formatter changes: line breaks, separators and quotes. */
const withoutFormatting = (source: string) => source.replaceAll(/[\s,;|"']+/g, '');

test('src/contract.ts is generated from the current contract', () => {
  const source = readFileSync(new URL('../src/contract.ts', import.meta.url), 'utf8');
  expect(withoutFormatting(source)).toBe(withoutFormatting(renderContract(json)));
});

test('the comment of each deprecated operation has @deprecated and its description', () => {
  const source = renderContract(json);
  const { description } = v1.contract.pets.getPet;
  expect(source).toContain(`/** @deprecated ${description} */\ngetPet(`);
  expect(source.match(/@deprecated/g)).toHaveLength(json.split('"deprecated":true').length - 1);
});

test('an array whose items have no named type gets the type Array<…>', () => {
  const withArray = json.replace('"name":{"type":"string"', '"name":{"items":{"enum":["a","b"]}');
  expect(renderContract(withArray)).toContain("name: Array<'a' | 'b'>;");
});

test('callers cannot leave out a query with a required parameter', () => {
  const withRequired = json.replace('"name":"limit"', '"name":"limit","required":true');
  expect(renderContract(withRequired)).toContain('listPets(query: ListPetsQuery,');
});

test('src/version.ts has the version of the package', () => {
  expect(version).toBe(manifest.version);
});

test('a schema of an unknown type causes an error that says where to add the type', () => {
  const unknown = json.replace('"type":"string","enum"', '"type":"dragon","values"');
  expect(() => renderContract(unknown)).toThrow(/no type for .*dragon.*scripts\/render-type.ts/);
});

test('a second version gets its own types and routes', () => {
  const source = renderContract(stringifyJson(openApiDocument({}, v2)));
  // The operations on one path share the type of its parameter.
  expect(source.match(/export type OrderId\b/g)).toHaveLength(1);
  for (const part of [
    "cancelOrder(orderId: OrderId, options?: CallOptions): Promise<Results['cancelOrder'] | Otherwise>;",
    'replaceOrder(orderId: OrderId, order: Order, options?: CallOptions)',
    "cancelOrder: (orderId, options) => call('cancelOrder', { orderId }, options)",
    "replaceOrder: (orderId, body, options) => call('replaceOrder', { orderId, body }, options)",
    "export const prefix = '/v2'",
    "replaceOrder: { method: 'PUT', path: '/orders/{orderId}', retry: 'always'",
    "cancelOrder: { method: 'DELETE', path: '/orders/{orderId}', retry: 'always'",
  ])
    expect(source).toContain(part);
  expect(source).not.toContain('getPet');
});
