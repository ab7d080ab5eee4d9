import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { send } from '../../http/send.ts';
import { fetchPet, newPet, petOf, petsOf, post } from '../../pets.ts';

const headers = { Accept: 'text/html, application/json;q=0' };

export const accept: Check[] = [
  {
    name: 'Responses are JSON also when the request does not accept it',
    cites: 'decision: Accept',
    readOnly: true,
    run: async (target) => {
      petsOf(await send(target, 'GET', '/pets?limit=1', { headers }));
      expectError(await send(target, 'GET', '/pets?limit=0', { headers }), 400, 'invalid_parameter');
      expectError(await send(target, 'GET', '/pets', { headers, authorization: null }), 401);
    },
  },
  {
    name: 'createPet adds a pet also when the request does not accept JSON',
    cites: 'decision: Accept',
    readOnly: false,
    run: async (target) => {
      await fetchPet(target, petOf(await post(target, newPet(), headers), 201));
    },
  },
];
