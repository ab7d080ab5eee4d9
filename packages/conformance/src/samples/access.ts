import { fillIn, isDescribed, methodsByPath, NO_ID, operations, otherMethodsOf } from '../operations.ts';
import type { Target } from '../target.ts';
import { type Request, type Sample, samplesOf } from './sample.ts';

type AuthorizationOf = (target: Target) => string | null;

const wrongKeys: Record<string, AuthorizationOf> = {
  'a wrong key': () => 'Bearer no-such-key',
  'a key that resembles the right one': ({ apiKey }) => `Bearer ${apiKey}x`,
};

/** The requests have no other fault. A deployment that accepts them must not lose a pet. */
const withoutKey = operations.flatMap(({ name, method, template, body }): Sample[] => {
  const facts = {
    operation: name,
    cites: 'interface: Authentication 1 and 3',
    readOnly: method === 'GET',
  } as const;
  const prepare = (authorizationOf: AuthorizationOf, target: Target, pet: unknown = body): Request => {
    const json = body && pet;
    const path = fillIn(template, method === 'GET' ? '1' : NO_ID);
    return { method, path, authorization: authorizationOf(target), json };
  };
  return [
    ...samplesOf(
      { ...facts, to: ['missing_api_key'] },
      '… without a key returns 401',
      { [name]: () => null },
      prepare,
    ),
    ...samplesOf({ ...facts, to: ['invalid_api_key'] }, `${name} with … returns 401`, wrongKeys, prepare),
  ];
});

const withoutOperation = { operation: undefined, cites: 'decision: other failures', readOnly: true } as const;

const unknownPaths = Object.entries({
  'An unknown path': '/no-such-path',
  'The listing of store orders, which is not described,': '/store/orders',
  'A trailing slash': '/pets/',
  'A path in capitals': '/PETS',
  'A path below a pet': '/pets/1/photos',
  'A path with a percent-encoded letter': '/p%65ts',
}).filter(([, path]) => !isDescribed(path));

const wrongMethods = [...methodsByPath.keys()].flatMap((template) =>
  otherMethodsOf(template).map((method): [string, Request] => [
    `${method} ${template}`,
    { method, path: fillIn(template, NO_ID) },
  ]),
);

/** Samples that look at no property of a pet, so that every version of the interface has them. */
export const sharedSamples: readonly Sample[] = [
  ...withoutKey,
  ...samplesOf(
    { ...withoutOperation, to: ['path_not_found'] },
    '… returns 404',
    Object.fromEntries(unknownPaths),
    (path) => ({ method: 'GET', path }),
  ),
  ...samplesOf(
    { ...withoutOperation, to: ['method_not_allowed'] },
    '… returns 405',
    Object.fromEntries(wrongMethods),
    (request) => request,
  ),
];

export function readAuthorization({ readApiKey }: Target): string {
  if (readApiKey === undefined) throw new TypeError('The target must have a readApiKey');
  return `Bearer ${readApiKey}`;
}

/** Samples that need a `readApiKey`, without a body and with an id that no pet has. */
export const scopeSamples: readonly Sample[] = operations
  .filter(({ scope }) => scope === 'write')
  .flatMap(({ name, method, template }) =>
    samplesOf(
      { operation: name, cites: 'decision: scope of an API key', readOnly: true, to: ['insufficient_scope'] },
      '… with a key that may only read returns 403',
      { [name]: fillIn(template, NO_ID) },
      (path, target) => ({ method, path, authorization: readAuthorization(target) }),
    ),
  );
