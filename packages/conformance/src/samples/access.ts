import { tableOf } from '../check.ts';
import type { Target } from '../http/target.ts';
import { type NewPet, version } from '../interface.ts';
import { fillIn, methodsOf, NO_ID, operations, operationsAt } from '../operations.ts';
import { type Request, type Sample, samplesOf } from './sample.ts';

type AuthorizationOf = (target: Target) => string | null;

const missingKeys: Record<string, AuthorizationOf> = {
  'without a key': () => null,
  'with the scheme Bearer alone': () => 'Bearer',
};

const wrongKeys: Record<string, AuthorizationOf> = {
  'a wrong key': () => 'Bearer no-such-key',
  'a key that resembles the right one': ({ apiKey }) => `Bearer ${apiKey}x`,
};

/** The requests have no other fault. */
const withoutValidKey = operations.flatMap(({ name, method, template, exampleBody }): Sample[] => {
  const readOnly = method === 'GET';
  const facts = { operation: name, cites: 'interface: Authentication 1 and 3', readOnly } as const;
  // A deployment that accepts a write must not lose a pet.
  const path = fillIn(template, readOnly ? '1' : NO_ID);
  const prepare = (authorizationOf: AuthorizationOf, target: Target, pet?: NewPet): Request => {
    const json = exampleBody === undefined ? {} : { json: pet ?? exampleBody };
    return { method, path, authorization: authorizationOf(target), ...json };
  };
  return [
    ...samplesOf({ ...facts, expected: ['missing_api_key'] }, '…', missingKeys, prepare),
    ...samplesOf({ ...facts, expected: ['invalid_api_key'] }, 'with …', wrongKeys, prepare),
  ];
});

const noOperation = { operation: undefined, cites: 'decision: other failures', readOnly: true } as const;

const unknownPaths = Object.entries({
  'an unknown path': '/no-such-path',
  'the listing of store orders, which is not described': '/store/orders',
  'a trailing slash': '/pets/',
  // Written as `/pets`, because a search for it finds each path to rename.
  'a path in capitals': '/pets'.toUpperCase(),
  'a path below a pet': '/pets/1/photos',
  'a path with a percent-encoded letter': '/pets'.replace('s', '%73'),
  // A later release of the contract may have an operation at one of them.
}).filter(([, path]) => operationsAt(version.prefix + path).length === 0);

/** Read-only: the requests have no body, and none is a DELETE of a collection, which a deployment could obey. */
const wrongMethods = [...new Set(operations.map(({ template }) => template))].flatMap((template) => {
  const candidates = ['PUT', 'PATCH', 'POST', ...(template.endsWith('}') ? ['DELETE'] : [])];
  const others = candidates.filter((method) => !methodsOf(template).includes(method));
  const facts = { ...noOperation, expected: ['method_not_allowed'] } as const;
  const path = fillIn(template, NO_ID);
  return samplesOf(facts, `for … ${template}`, tableOf(others), (method) => ({ method, path }));
});

/** Samples that look at no property of a pet, so that every version of the interface has them. */
export const sharedSamples: readonly Sample[] = [
  ...withoutValidKey,
  ...samplesOf(
    { ...noOperation, expected: ['path_not_found'] },
    'for …',
    Object.fromEntries(unknownPaths),
    (path) => ({ method: 'GET', path }),
  ),
  ...wrongMethods,
];

export function readAuthorization({ readApiKey }: Target): string {
  if (readApiKey === undefined) throw new TypeError('The target must have a readApiKey');
  return `Bearer ${readApiKey}`;
}

const scopeFacts = { cites: 'decision: scope of an API key', readOnly: true } as const;

/** Samples that need a `readApiKey`. Read-only, because they have no body, and an id that no pet has. */
export const scopeSamples: readonly Sample[] = operations
  .filter(({ scope }) => scope === 'write')
  .flatMap(({ name, method, template }) =>
    samplesOf(
      { ...scopeFacts, operation: name, expected: ['insufficient_scope'] },
      '…',
      { 'with a key that may only read': fillIn(template, NO_ID) },
      (path, target) => ({ method, path, authorization: readAuthorization(target) }),
    ),
  );
