import * as z from 'zod';
import { type Check, defineReadOnlyChecks, each, tableOf } from '../check.ts';
import { bodyOf, expect, expectError, expectStatus } from '../http/response.ts';
import { send } from '../http/send.ts';
import { type Target, urlBeside } from '../http/target.ts';
import { version } from '../interface.ts';
import { operations } from '../operations.ts';

const BESIDE = 'decision: beside the interface';
const PATHS = ['/livez', '/readyz', '/docs', '/openapi.json'];

async function fetchBeside(target: Target, path: string) {
  return expectStatus(await send(target, 'GET', urlBeside(target, path), { authorization: null }), 200);
}

export const publicRoutes: Check[] = defineReadOnlyChecks(
  BESIDE,
  each('… beside the version prefix needs no key', tableOf(PATHS), fetchBeside),
);

/** A service on Node.js easily misses this: Node's server refuses the method before the application sees it. */
export const unknownMethod: Check[] = defineReadOnlyChecks('decision: other failures', {
  'A valid method that no service knows returns 501': async (target) =>
    expectError(await send(target, 'BREW', '/pets'), 501, 'method_not_implemented'),
});

const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

export const openApiDocument: Check[] = defineReadOnlyChecks(`${BESIDE}; decision: stability marking`, {
  '/openapi.json has the operations of the contract with their deprecation and stability': async (target) => {
    const response = await fetchBeside(target, '/openapi.json');
    const { paths } = bodyOf(response, OpenApi, 'an OpenAPI document');
    for (const { method, template, deprecation } of operations) {
      // The prefix stands in the paths of the document or in its server URL.
      const onPath = paths[template] ?? paths[version.prefix + template];
      const operation = onPath?.[method.toLowerCase()];
      const title = `${method} ${template}`;
      expect(response, operation !== undefined, title);
      const isDeprecated = z.object({ deprecated: z.literal(true) }).safeParse(operation).success;
      const fits = isDeprecated === (deprecation !== undefined);
      expect(response, fits, `${title} to be ${deprecation ? '' : 'not '}deprecated`);
    }
    // No operation of the contract is experimental or beta.
    expect(response, !response.text.includes('"x-stability"'), 'no x-stability');
  },
});
