import type { Check } from '../../check.ts';
import { expectError } from '../../http/error-response.ts';
import { expectHeader, expectStatus } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';
import type { Target } from '../../target.ts';

async function sendWithReadKey(target: Target, method: string, path: string) {
  const { readApiKey } = target;
  if (readApiKey === undefined) throw new TypeError('The target must have a readApiKey');
  return send(target, method, path, { authorization: `Bearer ${readApiKey}` });
}

/** Checks that need a target with a key that may only read. */
export const scopeChecks: Check[] = [
  {
    name: 'listPets with a key that may only read returns 200',
    cites: 'decision: scope of an API key',
    readOnly: true,
    run: async (target) => expectStatus(await sendWithReadKey(target, 'GET', '/pets?limit=1'), 200),
  },
  {
    name: 'createPet with a key that may only read returns 403 and the challenge insufficient_scope',
    cites: 'decision: scope of an API key; RFC 6750 section 3.1',
    // Without a body, from which no deployment can make a pet.
    readOnly: true,
    run: async (target) => {
      const response = await sendWithReadKey(target, 'POST', '/pets');
      expectError(response, 403, 'insufficient_scope');
      const challenge = 'Bearer realm="petstore", error="insufficient_scope", scope="write"';
      expectHeader(response, 'WWW-Authenticate', challenge);
    },
  },
];
