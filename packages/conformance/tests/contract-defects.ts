import { responseHeaders } from '@petstore/contract';
import { operations } from '../src/operations.ts';
import { scopeSamples, sharedSamples } from '../src/samples/access.ts';
import { creationSamples } from '../src/samples/creation.ts';
import { readingSamples } from '../src/samples/reading.ts';
import { type Breaks, changesResponse, type Defect } from './defects.ts';

const samples = [...readingSamples, ...creationSamples, ...sharedSamples, ...scopeSamples];
const kinds = Map.groupBy(samples, ({ operation = 'No operation', status }) => `${operation} ${status}`);

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Changes the responses of one operation, or of none, with one status. */
const changes = (
  operation: string | undefined,
  status: number,
  change: Parameters<typeof changesResponse>[0],
): Breaks =>
  changesResponse((response, request) => {
    const { method, url } = request;
    const reached = operations.find(
      (one) => one.method === method.replace('HEAD', 'GET') && one.pattern.test(url.pathname),
    );
    if (reached?.name === operation && response.status === status) change(response, request);
  });

/** Defects of the responses of each operation and status, made from what the contract states of them. */
export const contractDefects: Defect[] = Array.from(kinds).flatMap(([kind, ofKind]) => {
  const [{ operation, status } = { operation: undefined, status: 0 }] = ofKind;
  const facts = operations.find(({ name }) => name === operation);
  const breaks = (change: Parameters<typeof changesResponse>[0]) => changes(operation, status, change);
  const rule = (sentence: string) => new RegExp(`^${kind} ${sentence}`);
  const required = facts?.headersOf(status) ?? ['X-Request-Id', 'Cache-Control'];
  const names = ofKind.map(({ name }) => escapeRegExp(name)).join('|');
  const isShared = status !== 403;
  const defects: Defect[] = [
    ...required.map(
      (name): Defect => [
        `${kind} without ${name}`,
        rule('has the headers that the contract requires'),
        breaks(({ headers }) => headers.delete(name)),
      ],
    ),
    [
      `${kind} with another status`,
      new RegExp(`^(${names})$`),
      breaks((response) => {
        response.status = status === 200 ? 203 : 200;
        response.text ||= '[]';
      }),
    ],
    [
      `${kind} with another challenge`,
      rule('has the challenge of its code'),
      breaks(({ headers }) => headers.set('www-authenticate', 'Basic realm="petstore"')),
    ],
  ];
  if (!isShared) return defects;
  defects.push(
    [
      `${kind} as HTML for a browser`,
      rule('is JSON with its code'),
      breaks((response, { headers }) => {
        if (!headers.get('accept')?.includes('html')) return;
        response.headers.set('content-type', 'text/html');
        response.status = status === 304 ? 200 : status;
      }),
    ],
    [
      `${kind} without regard to the X-Request-Id of the request`,
      rule('has an X-Request-Id of its own'),
      breaks(({ headers }) => headers.set('x-request-id', crypto.randomUUID())),
    ],
    [
      `${kind} with one X-Request-Id for all`,
      rule('has an X-Request-Id of its own'),
      breaks(({ headers }, request) =>
        headers.set('x-request-id', request.headers.get('x-request-id') || 'one'),
      ),
    ],
    [
      `${kind} for any cache`,
      rule('says whether a cache may store it'),
      breaks(({ headers }) => headers.set('cache-control', 'public, max-age=60')),
    ],
    [
      `${kind} with another code`,
      rule('is JSON with its code'),
      breaks((response) => {
        if (status < 400) response.status = 204;
        response.text = response.text.replace(/"code":"\w+"/, '"code":"internal_error"');
      }),
    ],
    ...(facts?.deprecation ? ['Deprecation', 'Sunset', 'Link'] : []).map(
      (name): Defect => [
        `${kind} that lacks ${name} of its deprecation`,
        rule('announces the deprecation'),
        breaks(({ headers }) => headers.delete(name)),
      ],
    ),
    ...(facts?.deprecation ? [] : ['Deprecation', 'Sunset']).map(
      (name): Defect => [
        `${kind} with ${name}, although it is not deprecated`,
        rule('announces the deprecation'),
        breaks(({ headers }) => headers.set(name, responseHeaders.Sunset.example)),
      ],
    ),
  );
  if (status !== 401) {
    defects.push([
      `${kind} with a RateLimit that other responses lack`,
      rule('states how many requests are left'),
      breaks(({ headers }) => {
        headers.set('ratelimit', '"default";r=9;t=1');
        // All responses of this kind have the same headers.
        if (kind !== 'listPets 200') headers.set('ratelimit-policy', '"default";q=9;w=1');
      }),
    ]);
  }
  if (facts?.method === 'GET') {
    defects.push([
      `${kind} that differs for HEAD`,
      rule('has the same headers for HEAD'),
      breaks(({ headers }, { method }) => method === 'HEAD' && headers.set('cache-control', 'no-cache')),
    ]);
  }
  return defects;
});
