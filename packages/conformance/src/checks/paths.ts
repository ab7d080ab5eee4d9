import { addPet } from '../animals.ts';
import { expect } from '../answer.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { send } from '../send.ts';

const unknownPaths = {
  'An unknown path': '/no-such-path',
  'The listing of store orders, which is not described,': '/store/orders',
  'A trailing slash': '/pets/',
  'A path in capitals': '/PETS',
  'A path under an animal': '/pets/1/photos',
};

/** Wrong methods that would do no harm to a service that took them: no body, and an id that is in no use. */
const wrongMethods = [
  { path: '/pets', method: 'PUT', allowed: ['GET', 'HEAD', 'POST'] },
  { path: '/pets', method: 'PATCH', allowed: ['GET', 'HEAD', 'POST'] },
  { path: '/pets/-9223372036854775807', method: 'POST', allowed: ['GET', 'HEAD'] },
  { path: '/pets/-9223372036854775807', method: 'PUT', allowed: ['GET', 'HEAD'] },
];

export const paths: Check[] = [
  ...Object.entries(unknownPaths).map(
    ([what, path]): Check => ({
      name: `${what} is 404`,
      cites: 'decision: other failures (404); decision: paths',
      readOnly: true,
      run: async (target) => {
        expectError(await send(target, 'GET', path), 404, 'path_not_found');
      },
    }),
  ),
  ...wrongMethods.map(
    ({ method, path, allowed }): Check => ({
      name: `${method} ${path.replace(/-?\d+$/, '{petId}')} is 405 and Allow names the methods`,
      cites: 'decision: other failures (405)',
      readOnly: true,
      run: async (target) => {
        const answer = await send(target, method, path);
        expectError(answer, 405, 'method_not_allowed');
        const allow = (answer.headers.get('allow') ?? '')
          .split(/\s*,\s*/)
          .filter((name) => name !== 'OPTIONS');
        expect(
          answer,
          allow.toSorted().join() === allowed.join(),
          `Allow: ${allowed.join(', ')} rather than ${allow}`,
        );
      },
    }),
  ),
  {
    name: 'An animal cannot be removed: DELETE is 405',
    cites: 'interface: getPet (removing not shown)',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      expectError(await send(target, 'DELETE', `/pets/${id}`), 405, 'method_not_allowed');
    },
  },
];
