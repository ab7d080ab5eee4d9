import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expect } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import { addPet } from '../../pets.ts';

const unknownPaths = {
  'An unknown path': '/no-such-path',
  'The listing of store orders, which is not described,': '/store/orders',
  'A trailing slash': '/pets/',
  'A path in capitals': '/PETS',
  'A path below a pet': '/pets/1/photos',
};

/** Wrong methods, harmless even to a service that accepts them: no body, and an id that no pet has. */
const wrongMethods = [
  { path: '/pets', method: 'PUT', allowed: ['GET', 'HEAD', 'POST'] },
  { path: '/pets', method: 'PATCH', allowed: ['GET', 'HEAD', 'POST'] },
  { path: '/pets/-9223372036854775807', method: 'POST', allowed: ['GET', 'HEAD'] },
  { path: '/pets/-9223372036854775807', method: 'PUT', allowed: ['GET', 'HEAD'] },
];

export const paths: Check[] = [
  ...Object.entries(unknownPaths).map(
    ([what, path]): Check => ({
      name: `${what} returns 404`,
      cites: 'decision: other failures (404); decision: paths',
      readOnly: true,
      run: async (target) => expectError(await send(target, 'GET', path), 404, 'path_not_found'),
    }),
  ),
  ...wrongMethods.map(
    ({ method, path, allowed }): Check => ({
      name: `${method} ${path.replace(/-?\d+$/, '{petId}')} returns 405 with the methods in Allow`,
      cites: 'decision: other failures (405)',
      readOnly: true,
      run: async (target) => {
        const response = await send(target, method, path);
        expectError(response, 405, 'method_not_allowed');
        const allow = (response.headers.get('allow') ?? '')
          .split(/\s*,\s*/)
          .filter((name) => name !== 'OPTIONS');
        expect(response, allow.toSorted().join() === allowed.join(), `Allow: ${allowed.join(', ')}`, allow);
      },
    }),
  ),
  {
    name: 'A valid method that no service knows returns 501',
    cites: 'decision: other failures (501); RFC 9110 section 9.1',
    readOnly: true,
    run: async (target) => expectError(await send(target, 'BREW', '/pets'), 501, 'method_not_implemented'),
  },
  {
    name: 'A path with a percent-encoded letter returns 404',
    cites: 'decision: paths',
    readOnly: true,
    run: async (target) => expectError(await send(target, 'GET', '/p%65ts'), 404, 'path_not_found'),
  },
  {
    name: 'DELETE of a pet returns 405',
    cites: 'decision: other failures (405)',
    readOnly: false,
    run: async (target) => {
      const { id } = await addPet(target);
      expectError(await send(target, 'DELETE', `/pets/${id}`), 405, 'method_not_allowed');
    },
  },
];
