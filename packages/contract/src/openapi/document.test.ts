import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { errorCodes } from '../error.ts';
import { deprecationHeaders } from '../headers/deprecation.ts';
import { responseHeaders } from '../headers/response-headers.ts';
import { getPetDeprecation } from '../v1/pets.ts';
import { v1 } from '../v1/v1.ts';
import { int64Bounds } from '../values.ts';
import type { Version } from '../version.ts';
import { openApiDocument, renderOpenApi } from './document.ts';

const document = openApiDocument();
const { contract }: Version = v1;
const routes = new Map(Object.values(contract).flatMap((resource) => Object.entries(resource)));

/** Every object of a JSON value, from the outside in. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}

test('the committed openapi.json is up to date', async () => {
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(committed === renderOpenApi(), 'The contract has changed: run `pnpm build`').toBe(true);
});

test("the document passes Redocly's recommended rules, and describes every parameter and every resource", async () => {
  const rules = { 'parameter-description': 'error', 'operation-tag-defined': 'error' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: renderOpenApi(), config });
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
});

test('getPet is removed by its sunset date', () => {
  const isPast = Date.now() >= getPetDeprecation.sunset.getTime();
  expect(isPast && routes.has('getPet'), 'The sunset date is past: remove getPet').toBe(false);
});

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 and has the version of this package', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(JSON.parse(manifest)).toHaveProperty('version', document.info.version);
  });

  test('states the RateLimit of a 400 but not of a 401, and the Retry-After of a 409, 429 and 503', () => {
    const stated = { 400: 'RateLimit', 409: 'Retry-After', 429: 'Retry-After', 503: 'Retry-After' };
    for (const [status, header] of Object.entries(stated))
      expect(document).toHaveProperty(['paths', '/pets', 'post', 'responses', status, 'headers', header]);
    expect(document.paths?.['/pets']?.post?.responses?.[401]).not.toHaveProperty('headers.RateLimit');
  });

  test('marks each deprecated operation, with its removal and what to use instead; the example of Deprecation is that of getPet', () => {
    const operations = objectsIn(document).filter((object) => 'operationId' in object);
    for (const { operationId, description, deprecated, 'x-sunset': sunset } of operations) {
      const { deprecation } = routes.get(`${operationId}`)?.metadata ?? {};
      expect(deprecated === true).toBe(deprecation !== undefined);
      expect(sunset).toBe(deprecation?.sunset.toISOString().slice(0, 10));
      const removal = deprecation?.sunset.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
      if (removal) expect(description).toContain(`to be removed on ${removal}: use \``);
    }
    expect(document).toHaveProperty(['paths', '/pets/{petId}', 'get', 'x-sunset'], '2030-12-05');
    const { Deprecation } = deprecationHeaders(getPetDeprecation, { documentation: '', root: '' });
    expect(Deprecation).toBe(responseHeaders.Deprecation.example);
  });

  test('marks an operation that is not stable', () => {
    const getPet = { ...v1.contract.pets.getPet, metadata: { scope: 'read', stability: 'beta' } } as const;
    const unstable = openApiDocument({}, { ...v1, contract: { pets: { getPet } } });
    expect(unstable).toHaveProperty(['paths', '/pets/{petId}', 'get', 'x-stability'], 'beta');
  });

  test('forbids further properties of a strict object alone', () => {
    const createPet = { ...v1.contract.pets.createPet, body: z.strictObject({ pet: z.object({}) }) };
    const objects = objectsIn(openApiDocument({}, { ...v1, contract: { pets: { createPet } } }));
    expect(objects.filter(({ additionalProperties }) => additionalProperties === false)).toHaveLength(1);
  });

  test('gives examples only of parameters that any request can have, because tools send them', () => {
    const parameters = objectsIn(document).filter((object) => 'in' in object);
    const withExample = parameters.filter((object) => 'example' in object).map(({ name }) => name);
    expect(withExample).toEqual(expect.arrayContaining(['limit', 'status', 'petId']));
    for (const name of ['cursor', 'Idempotency-Key', 'If-Match']) expect(withExample).not.toContain(name);
  });

  test('has at most a default beside a $ref, because OpenAPI 3.0 readers ignore members there', () => {
    const references = objectsIn(document).filter((object) => '$ref' in object);
    expect(references).not.toEqual([]);
    for (const { default: _, ...reference } of references) expect(Object.keys(reference)).toEqual(['$ref']);
  });

  test('bounds every int64 exactly', () => {
    const integers = objectsIn(document).filter(({ format }) => format === 'int64');
    expect(integers).not.toEqual([]);
    for (const integer of integers) expect(integer).toMatchObject(int64Bounds);
    expect(renderOpenApi()).toContain('"minimum": -9223372036854775808,');
    expect(renderOpenApi()).toContain('"maximum": 9223372036854775807');
  });

  test('does not enumerate the error codes, so that generated clients accept codes of a later release', () => {
    const schema = document.components?.schemas?.ErrorCode;
    expect(schema).toMatchObject({ type: 'string', examples: Object.keys(errorCodes) });
    expect(schema).not.toHaveProperty('enum');
  });

  test('uses only the regular expression syntax that JSON Schema recommends', () => {
    const patterns = objectsIn(document).flatMap(({ pattern = [] }) => pattern);
    expect(patterns).not.toEqual([]);
    // JSON Schema recommends neither special groups nor escapes of letters and digits, except \u.
    for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?|\\[a-tv-zA-Z0-9]/);
  });

  const localUrls = ['/v1', 'http://pets.localhost/v1', 'http://127.0.0.1:3000/v1', 'http://[::1]/v1'];
  test.each(localUrls)('does not call %s production', (url) => {
    const [server] = openApiDocument({ production: url }).servers ?? [];
    expect(server).toEqual({ url, description: 'This server' });
  });

  test('has a variable for the URL of each environment until the URLs are configured', () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(['{base_url}', '{staging_base_url}']);
    expect(document.servers?.map(({ description }) => description)).toEqual(['Production', 'Staging']);
    const urls = { production: 'https://pets.example/v1', staging: 'https://test.example/v1' };
    expect(openApiDocument(urls).servers?.map(({ url }) => url)).toEqual(Object.values(urls));
  });
});
