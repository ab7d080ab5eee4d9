import { type Check, each, expectRefusal, readOnlyChecks } from '../../check.ts';
import { expect, expectError } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { fillIn, isDescribed, methodsByPath, NO_ID, otherMethodsOf } from '../../operations.ts';
import type { Target } from '../../target.ts';

const unknownPaths = Object.entries({
  'An unknown path': '/no-such-path',
  'The listing of store orders, which is not described,': '/store/orders',
  'A trailing slash': '/pets/',
  'A path in capitals': '/PETS',
  'A path below a pet': '/pets/1/photos',
  'A path with a percent-encoded letter': '/p%65ts',
}).filter(([, path]) => !isDescribed(path));

const wrongMethods = [...methodsByPath.keys()].flatMap((template) =>
  otherMethodsOf(template).map((method) => [`${method} ${template}`, { method, template }] as const),
);

async function expectNotAllowed(target: Target, { method, template }: { method: string; template: string }) {
  const response = await send(target, method, fillIn(template, NO_ID));
  expectError(response, 405, 'method_not_allowed');
  const expected = methodsByPath.get(template) ?? [];
  const allow = (response.headers.get('allow') ?? '').split(/\s*,\s*/).filter((name) => name !== 'OPTIONS');
  expect(response, allow.toSorted().join() === expected.join(), `Allow: ${expected.join(', ')}`, allow);
}

export const paths: Check[] = [
  ...readOnlyChecks(
    'decision: other failures (404); decision: paths',
    each('… returns 404', Object.fromEntries(unknownPaths), (target, path) =>
      expectRefusal(target, path, 404, 'path_not_found'),
    ),
  ),
  ...readOnlyChecks('decision: other failures', {
    ...each('… returns 405 with the methods in Allow', Object.fromEntries(wrongMethods), expectNotAllowed),
    'A valid method that no service knows returns 501': async (target) =>
      expectError(await send(target, 'BREW', '/pets'), 501, 'method_not_implemented'),
  }),
];
