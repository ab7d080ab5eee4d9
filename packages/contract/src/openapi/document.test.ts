import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../error.ts';
import { openApiDocument, renderOpenApi } from './document.ts';

const document = openApiDocument();

async function lint(source: string) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config });
  return problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
}

test('the committed openapi.json is up to date', async () => {
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(committed === renderOpenApi(), 'The contract has changed: run `pnpm openapi`').toBe(true);
});

test("the document has no error and no warning under Redocly's recommended rules", async () => {
  expect(await lint(renderOpenApi())).toEqual([]);
});

test('the linter would tell of a broken document', async () => {
  const broken = { ...document, security: undefined, components: {} };
  expect(await lint(JSON.stringify(broken))).not.toEqual([]);
});

describe('the OpenAPI document', () => {
  test('is the OpenAPI 3.1 description of interface version 1.0.0', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.version).toBe('1.0.0');
  });

  test('names every type of the interface', () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['PetStatus', 'NewPet', 'Pet', 'Pets', 'Error', 'ErrorCode']),
    );
  });

  test('has the three operations, their paths relative to the base address', () => {
    expect(Object.keys(document.paths ?? {})).toEqual(['/pets', '/pets/{petId}']);
    expect(document).toHaveProperty(['paths', '/pets', 'get', 'operationId'], 'listPets');
    expect(document).toHaveProperty(['paths', '/pets', 'post', 'operationId'], 'createPet');
    expect(document).toHaveProperty(['paths', '/pets/{petId}', 'get', 'operationId'], 'getPet');
  });

  test('asks for a bearer key everywhere', () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(document).toHaveProperty(['components', 'securitySchemes', 'bearer', 'scheme'], 'bearer');
  });

  test('marks getPet, and only getPet, as deprecated', () => {
    expect(document).toHaveProperty(['paths', '/pets/{petId}', 'get', 'deprecated'], true);
    expect(renderOpenApi().split('"deprecated": true')).toHaveLength(2);
  });

  test('states the limits of the limit parameter', () => {
    expect(document.paths?.['/pets']?.get?.parameters?.[0]).toMatchObject({
      name: 'limit',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
  });

  test.each([
    ['If-None-Match', '/pets', '304'],
    ['If-None-Match', '/pets/{petId}', '304'],
    ['If-Match', '/pets', '412'],
    ['If-Match', '/pets/{petId}', '412'],
  ])('describes %s of GET %s, which can return %s', (name, path, status) => {
    const { parameters, responses } = document.paths?.[path]?.get ?? {};
    expect(responses).toHaveProperty(status);
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name,
        in: 'header',
        schema: expect.objectContaining({ type: 'string' }),
      }),
    );
  });

  test('says how large a request may be', () => {
    expect(document).toHaveProperty(
      ['paths', '/pets', 'post', 'responses', '413', 'description'],
      expect.stringContaining('64 KiB'),
    );
    expect(document).toHaveProperty(
      ['paths', '/pets', 'get', 'responses', '431', 'description'],
      expect.stringContaining('16 KiB'),
    );
  });

  test('describes every parameter, with an example', () => {
    const parameters = Object.values(document.paths ?? {})
      .flatMap((path) => Object.values(path))
      .flatMap((operation) => operation.parameters ?? []);
    expect(parameters).not.toEqual([]);
    for (const parameter of parameters) {
      expect(parameter).toMatchObject({
        description: expect.any(String),
        schema: { example: expect.anything() },
      });
    }
  });

  test.each([
    ['/pets', 'get', '200', ['Link', 'ETag']],
    ['/pets', 'get', '304', ['ETag']],
    ['/pets', 'get', '401', ['WWW-Authenticate']],
    ['/pets', 'get', '503', ['Retry-After']],
    ['/pets', 'post', '201', ['Location', 'Idempotency-Replayed']],
    ['/pets', 'post', '401', ['WWW-Authenticate']],
    ['/pets', 'post', '409', ['Retry-After']],
    ['/pets', 'post', '503', ['Retry-After']],
    ['/pets/{petId}', 'get', '200', ['ETag', 'Deprecation', 'Sunset', 'Link']],
    ['/pets/{petId}', 'get', '304', ['ETag', 'Deprecation', 'Sunset', 'Link']],
    ['/pets/{petId}', 'get', '401', ['WWW-Authenticate', 'Deprecation', 'Sunset', 'Link']],
    ['/pets/{petId}', 'get', '404', ['Deprecation', 'Sunset', 'Link']],
    ['/pets/{petId}', 'get', '503', ['Retry-After', 'Deprecation', 'Sunset', 'Link']],
  ])('documents the header fields of %s %s %s', (path, method, status, names) => {
    for (const name of [...names, 'X-Request-Id', 'Cache-Control']) {
      expect(document).toHaveProperty(['paths', path, method, 'responses', status, 'headers', name]);
    }
  });

  test('gives an example of every error code that an operation has', () => {
    const text = renderOpenApi();
    const outsideOperations = ['path_not_found', 'method_not_allowed', 'method_not_implemented'];
    for (const code of Object.keys(errorCodes)) {
      expect(text.includes(`"code": "${code}",`), code).toBe(!outsideOperations.includes(code));
    }
  });

  test('keeps the two environments as variables until their addresses are configured', () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(['{base_url}', '{staging_base_url}']);
    const configured = openApiDocument({
      production: 'https://pets.example/v1',
      staging: 'https://test.example/v1',
    });
    expect(configured.servers?.map(({ url }) => url)).toEqual([
      'https://pets.example/v1',
      'https://test.example/v1',
    ]);
  });
});
