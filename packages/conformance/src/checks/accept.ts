import { fetchPet, newPet, petOf, petsOf, post } from '../animals.ts';
import type { Check } from '../check.ts';
import { expectError } from '../error-answer.ts';
import { send } from '../send.ts';

const headers = { Accept: 'text/html, application/json;q=0' };

export const accept: Check[] = [
  {
    name: 'Answers are JSON also for a caller that does not accept it',
    cites: 'interface: What the service does; decision: Accept',
    readOnly: true,
    run: async (target) => {
      petsOf(await send(target, 'GET', '/pets?limit=1', { headers }));
      expectError(await send(target, 'GET', '/pets?limit=0', { headers }), 400, 'invalid_parameter');
      expectError(await send(target, 'GET', '/pets', { headers, authorization: null }), 401);
    },
  },
  {
    name: 'An animal is added also by a caller that does not accept JSON',
    cites: 'interface: What the service does; decision: Accept',
    readOnly: false,
    run: async (target) => {
      await fetchPet(target, petOf(await post(target, newPet(), headers), 201));
    },
  },
];
