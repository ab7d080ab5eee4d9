import type { ErrorCode } from '@petstore/contract';
import type { Target } from '../http/target.ts';
import { version } from '../interface.ts';
import { fillIn, NO_ID, operations, operationsAt, otherMethodsOf } from '../operations.ts';
import { type Request, type Sample, samplesOf } from './sample.ts';

type AuthorizationOf = (target: Target) => string | null;

const wrongKeys: Record<string, AuthorizationOf> = {
  'a wrong key': () => 'Bearer no-such-key',
  'a key that resembles the right one': ({ apiKey }) => `Bearer ${apiKey}x`,
};

/** The requests have no other fault. A deployment that accepts them must not lose a pet. */
const withoutValidKey = operations.flatMap(({ name, method, template, body }): Sample[] => {
  const readOnly = method === 'GET';
  const facts = { operation: name, cites: 'interface: Authentication 1 and 3', readOnly } as const;
  const path = fillIn(template, readOnly ? '1' : NO_ID);
  const prepare = (authorizationOf: AuthorizationOf, target: Target, pet: unknown = body): Request => {
    return { method, path, authorization: authorizationOf(target), ...(body !== undefined && { json: pet }) };
  };
  return [
    ...samplesOf({ ...facts, to: ['missing_api_key'] }, '…', { 'without a key': () => null }, prepare),
    ...samplesOf({ ...facts, to: ['invalid_api_key'] }, 'with …', wrongKeys, prepare),
  ];
});

const LISTING = '/pets';

/** Paths of no operation, unless a later release of the contract adds one. */
const unknownPaths = Object.entries({
  'an unknown path': '/no-such-path',
  'the listing of store orders, which is not described': '/store/orders',
  'a trailing slash': `${LISTING}/`,
  'a path in capitals': LISTING.toUpperCase(),
  'a path below a pet': `${LISTING}/1/photos`,
  'a path with a percent-encoded letter': LISTING.replace(
    /\w/,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  ),
})
  .filter(([, path]) => operationsAt(version.prefix + path).length === 0)
  .map(([what, path]) => [what, { method: 'GET', path }] as const);

const wrongMethods = [...new Set(operations.map(({ template }) => template))].flatMap((template) => {
  const path = fillIn(template, NO_ID);
  return otherMethodsOf(template).map((method) => [`${method} ${template}`, { method, path }] as const);
});

const withoutOperation = (code: ErrorCode, requests: (readonly [what: string, Request])[]): Sample[] => {
  const facts = { operation: undefined, cites: 'decision: other failures', readOnly: true } as const;
  return samplesOf({ ...facts, to: [code] }, 'for …', Object.fromEntries(requests), (request) => request);
};

/** Samples that look at no property of a pet, so that every version of the interface has them. */
export const sharedSamples: readonly Sample[] = [
  ...withoutValidKey,
  ...withoutOperation('path_not_found', unknownPaths),
  ...withoutOperation('method_not_allowed', wrongMethods),
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
      '…',
      { 'with a key that may only read': fillIn(template, NO_ID) },
      (path, target) => ({ method, path, authorization: readAuthorization(target) }),
    ),
  );
