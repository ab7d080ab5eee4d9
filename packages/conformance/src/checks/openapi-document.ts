import { type Version, v1 } from '@petstore/contract';
import type { Check } from '../check.ts';
import { expect, expectStatus, jsonOf, type RawResponse } from '../http/raw-response.ts';
import { send } from '../http/send.ts';
import { type Target, urlBeside } from '../target.ts';

async function fetchDocument(target: Target): Promise<{ response: RawResponse; document: unknown }> {
  const response = await send(target, 'GET', urlBeside(target, '/openapi.json'), { authorization: null });
  expectStatus(response, 200);
  return { response, document: jsonOf(response) };
}

/** The value at a path of member names in a JSON value. */
function at(value: unknown, ...names: string[]): unknown {
  return names.reduce((inner, name) => membersOf(inner)[name], value);
}

/** The members of a JSON value: none, when it is no object. */
const membersOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The operations that the contract has: method, path below the prefix, and whether it is deprecated. */
function operationsOf({ prefix, contract }: Version) {
  return Object.values(contract)
    .flatMap((router) => Object.values(router))
    .map(({ method, path, deprecated = false }) => ({
      method: method.toLowerCase(),
      path: path.slice(prefix.length).replaceAll(/:(\w+)/g, '{$1}'),
      deprecated,
    }));
}

export const openApiDocument: Check[] = [
  {
    name: '/openapi.json beside the version prefix needs no key',
    cites: 'decision: beside the interface',
    readOnly: true,
    run: async (target) => {
      await fetchDocument(target);
    },
  },
  {
    name: '/openapi.json beside the version prefix has the version of the prefix',
    cites: 'decision: beside the interface',
    readOnly: true,
    run: async (target) => {
      const { response, document } = await fetchDocument(target);
      const major = v1.prefix.replace('/v', '');
      const version = at(document, 'info', 'version');
      const fits = typeof version === 'string' && version.startsWith(`${major}.`);
      expect(response, fits, `an info.version that begins with ${major}`, version);
    },
  },
  {
    name: '/openapi.json beside the version prefix has the operations of the contract with their deprecation',
    cites: 'decision: beside the interface',
    readOnly: true,
    run: async (target) => {
      const { response, document } = await fetchDocument(target);
      for (const { method, path, deprecated } of operationsOf(v1)) {
        const operation =
          at(document, 'paths', path, method) ?? at(document, 'paths', v1.prefix + path, method);
        expect(response, operation !== undefined, `${method} ${path}`);
        expect(
          response,
          (at(operation, 'deprecated') === true) === deprecated,
          `${method} ${path} to be ${deprecated ? '' : 'not '}deprecated`,
        );
      }
    },
  },
  {
    name: '/openapi.json beside the version prefix marks no operation as experimental or beta',
    cites: 'decision: stability marking',
    readOnly: true,
    run: async (target) => {
      const { response } = await fetchDocument(target);
      expect(response, !response.text.includes('"x-stability"'), 'no x-stability');
    },
  },
];
