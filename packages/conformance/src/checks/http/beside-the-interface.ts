import { v1 } from '@petstore/contract';
import { type Check, readOnlyCheck } from '../../check.ts';
import { expect, expectStatus, jsonOf } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { operations } from '../../operations.ts';
import { type Target, urlBeside } from '../../target.ts';

const BESIDE = 'decision: beside the interface';
const DOCUMENT = '/openapi.json beside the version prefix';

const fetchBeside = async (target: Target, path: string) =>
  expectStatus(
    await send(target, 'GET', urlBeside(target, path), { authorization: null, redirect: 'follow' }),
    200,
  );

export const probes: Check[] = ['/livez', '/readyz', '/docs'].map((path) =>
  readOnlyCheck(`${path} beside the version prefix needs no key`, BESIDE, (target) =>
    fetchBeside(target, path),
  ),
);

/** The value at a path of member names in a JSON value. */
const at = (value: unknown, ...names: string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const openApiDocument: Check[] = [
  readOnlyCheck(`${DOCUMENT} needs no key`, BESIDE, (target) => fetchBeside(target, '/openapi.json')),
  readOnlyCheck(`${DOCUMENT} has the version of the prefix`, BESIDE, async (target) => {
    const response = await fetchBeside(target, '/openapi.json');
    const version = at(jsonOf(response), 'info', 'version');
    const major = v1.prefix.replace('/v', '');
    const fits = typeof version === 'string' && version.startsWith(`${major}.`);
    expect(response, fits, `an info.version that begins with ${major}`, version);
  }),
  readOnlyCheck(
    `${DOCUMENT} has the operations of the contract with their deprecation`,
    BESIDE,
    async (target) => {
      const response = await fetchBeside(target, '/openapi.json');
      const paths = at(jsonOf(response), 'paths');
      for (const { method, template, deprecated } of operations) {
        const operation = [template, v1.prefix + template]
          .map((path) => at(paths, path, method.toLowerCase()))
          .find(isObject);
        const title = `${method} ${template}`;
        expect(response, operation !== undefined, title);
        const isDeprecated = operation.deprecated === true;
        expect(response, isDeprecated === deprecated, `${title} to be ${deprecated ? '' : 'not '}deprecated`);
      }
    },
  ),
  readOnlyCheck(
    `${DOCUMENT} marks no operation as experimental or beta`,
    'decision: stability marking',
    async (target) => {
      const response = await fetchBeside(target, '/openapi.json');
      expect(response, !response.text.includes('"x-stability"'), 'no x-stability');
    },
  ),
];
