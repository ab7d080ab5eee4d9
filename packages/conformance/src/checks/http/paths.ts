import { type Check, readOnlyCheck, refusals } from '../../check.ts';
import { expect, expectError } from '../../http/response.ts';
import { send } from '../../http/send.ts';
import { fillIn, isDescribed, methodsByPath, otherMethodsOf } from '../../operations.ts';

const paths404 = {
  'An unknown path returns 404': '/no-such-path',
  'The listing of store orders, which is not described, returns 404': '/store/orders',
  'A trailing slash returns 404': '/pets/',
  'A path in capitals returns 404': '/PETS',
  'A path below a pet returns 404': '/pets/1/photos',
  'A path with a percent-encoded letter returns 404': '/p%65ts',
};

/** An id that no pet has. */
const NO_ID = '-9223372036854775807';

export const paths: Check[] = [
  ...refusals(
    'decision: other failures (404); decision: paths',
    Object.fromEntries(Object.entries(paths404).filter(([, path]) => !isDescribed(path))),
    404,
    'path_not_found',
  ),
  ...Array.from(methodsByPath, ([template, methods]) =>
    otherMethodsOf(template).map((method) =>
      readOnlyCheck(
        `${method} ${template} returns 405 with the methods in Allow`,
        'decision: other failures (405)',
        async (target) => {
          const response = await send(target, method, fillIn(template, NO_ID));
          expectError(response, 405, 'method_not_allowed');
          const allow = (response.headers.get('allow') ?? '').split(/\s*,\s*/);
          const actual = allow.filter((name) => name !== 'OPTIONS').toSorted();
          expect(response, actual.join() === methods.join(), `Allow: ${methods.join(', ')}`, actual);
        },
      ),
    ),
  ).flat(),
  readOnlyCheck(
    'A valid method that no service knows returns 501',
    'decision: other failures (501); RFC 9110 section 9.1',
    async (target) => expectError(await send(target, 'BREW', '/pets'), 501, 'method_not_implemented'),
  ),
];
