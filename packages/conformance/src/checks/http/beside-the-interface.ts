import { type Check, each, readOnlyChecks, tableOf } from '../../check.ts';
import { expect, expectError, expectStatus, jsonOf } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { version } from '../../interface.ts';
import { operations } from '../../operations.ts';
import { type Target, urlBeside } from '../../target.ts';

const BESIDE = 'decision: beside the interface';

const fetchBeside = async (target: Target, path: string) =>
  expectStatus(
    await send(target, 'GET', urlBeside(target, path), { authorization: null, redirect: 'follow' }),
    200,
  );

export const probes: Check[] = readOnlyChecks(
  BESIDE,
  each('… beside the version prefix needs no key', tableOf(['/livez', '/readyz', '/docs']), fetchBeside),
);

/** Node's own server refuses such a method, before an application sees it. */
export const unknownMethod: Check[] = readOnlyChecks('decision: other failures', {
  'A valid method that no service knows returns 501': async (target) =>
    expectError(await send(target, 'BREW', '/pets'), 501, 'method_not_implemented'),
});

const at = (value: unknown, ...names: string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const DOCUMENT = '/openapi.json';

export const openApiDocument: Check[] = [
  ...readOnlyChecks(BESIDE, {
    '/openapi.json beside the version prefix needs no key': (target) => fetchBeside(target, DOCUMENT),
    '/openapi.json beside the version prefix has the version of the prefix': async (target) => {
      const response = await fetchBeside(target, DOCUMENT);
      const documented = at(jsonOf(response), 'info', 'version');
      const major = version.prefix.replace('/v', '');
      const fits = typeof documented === 'string' && documented.startsWith(`${major}.`);
      expect(response, fits, `an info.version that begins with ${major}`, documented);
    },
    '/openapi.json beside the version prefix has the operations of the contract with their deprecation':
      async (target) => {
        const response = await fetchBeside(target, DOCUMENT);
        const paths = at(jsonOf(response), 'paths');
        for (const { method, template, deprecation } of operations) {
          const path = [template, version.prefix + template].find((path) => at(paths, path) !== undefined);
          const operation = at(paths, path ?? '', method.toLowerCase());
          const title = `${method} ${template}`;
          expect(response, operation !== undefined, title);
          const isAnnounced = (at(operation, 'deprecated') === true) === (deprecation !== undefined);
          expect(response, isAnnounced, `${title} to be ${deprecation ? '' : 'not '}deprecated`);
        }
      },
  }),
  ...readOnlyChecks('decision: stability marking', {
    '/openapi.json beside the version prefix marks no operation as experimental or beta': async (target) => {
      const response = await fetchBeside(target, DOCUMENT);
      expect(response, !response.text.includes('"x-stability"'), 'no x-stability');
    },
  }),
];
