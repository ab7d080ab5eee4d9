import { responseHeaders } from '@petstore/contract';
import { headerForms } from '../src/checks/rules/headers.ts';
import { operations, operationsAt } from '../src/operations.ts';
import { scopeSamples, sharedSamples } from '../src/samples/access.ts';
import { creationSamples } from '../src/samples/creation.ts';
import { readingSamples } from '../src/samples/reading.ts';
import { type Change, changesResponse, type Defect, lacksHeader, setsHeader } from './defects.ts';

export const samples = [...readingSamples, ...creationSamples, ...sharedSamples, ...scopeSamples];
const kinds = Map.groupBy(samples, ({ operation = 'No operation', status }) => `${operation} ${status}`);

/** Defects of the responses of each operation and status, derived from the contract. */
export const contractDefects: Defect[] = Array.from(kinds).flatMap(([kind, ofKind]) => {
  const [{ operation, status } = { operation: undefined, status: 0 }] = ofKind;
  const facts = operations.find(({ name }) => name === operation);
  const escapedNames = ofKind.map(({ name }) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));

  /** Changes responses with this status to requests of this operation, or to requests that match no operation. */
  const changesKind = (change: Change) =>
    changesResponse((response, request) => {
      const method = request.method.replace('HEAD', 'GET');
      const requested = operationsAt(request.url.pathname).find((one) => one.method === method);
      return requested?.name === operation && response.status === status && change(response, request);
    });
  const defect = (what: string, foundBy: string, change: Change): Defect => [
    `${kind} ${what}`,
    new RegExp(`^${kind} ${foundBy}`),
    changesKind(change),
  ];
  /** The service replaces its X-Request-Id, unless the function returns `false`. */
  const idDefect = (what: string, replace: (sent: string) => string | false) =>
    defect(what, 'has an X-Request-Id', ({ headers }, request) => {
      const id = replace(request.headers.get('x-request-id') ?? '');
      if (id !== false) headers.set('x-request-id', id);
    });
  const defectsIf = (condition: boolean, ...conditional: Defect[]) => (condition ? conditional : []);
  // Like 200, 203 is a success with a body.
  const breaksStatus = changesKind(() => ({ status: status === 200 ? 203 : 200 }));
  const required = facts?.headersOf(status) ?? ['X-Request-Id', 'Cache-Control'];
  return [
    [`${kind} with another status`, new RegExp(`^(${escapedNames.join('|')})$`), breaksStatus],
    ...required.map((name) => defect(`without ${name}`, 'has the headers that', lacksHeader(name))),
    ...required
      .filter((name) => name in headerForms)
      .map((name) => defect(`with a malformed ${name}`, 'has the headers that', setsHeader(name, 'a b'))),
    defect('with another challenge', 'has the challenge', setsHeader('www-authenticate', 'Basic realm="a"')),
    defect('as HTML for a browser', 'stays the same', (response, { headers }) => {
      if (!headers.get('accept')?.includes('html')) return;
      response.headers.set('content-type', 'text/html');
      // A 304 has no body, so its Content-Type does not matter.
      return status === 304 && { status: 200 };
    }),
    ...defectsIf(
      status >= 400,
      ...[...new Set(ofKind.map(({ codes }) => codes[0]))].map((code) =>
        defect(`with another code than ${code}`, 'stays the same', ({ text }) => ({
          text: text.replace(`"code":"${code}"`, '"code":"internal_error"'),
        })),
      ),
      defect('with another status in the Error body', 'stays the same', ({ text }) => ({
        text: text.replace(/"status":\d+/, `"status":${status === 400 ? 404 : 400}`),
      })),
    ),
    idDefect('without an X-Request-Id of 128 characters', (sent) => sent.length === 128 && 'another'),
    ...[/ /, /^x{129}$/].map((invalid) =>
      idDefect(`with an X-Request-Id like ${invalid}`, (sent) => invalid.test(sent) && sent),
    ),
    idDefect('with one X-Request-Id unless 128 characters were sent', (sent) => sent.length !== 128 && 'one'),
    ...['private, max-age=60', 'public, no-cache'].map((value) =>
      defect(`with Cache-Control: ${value}`, 'says whether', setsHeader('cache-control', value)),
    ),
    ...(['Deprecation', 'Sunset'] as const).map((name) =>
      facts?.deprecation
        ? defect(`without ${name}`, 'announces', lacksHeader(name))
        : defect(`with ${name} for nothing`, 'announces', setsHeader(name, responseHeaders[name].example)),
    ),
    ...(facts?.deprecation ? [/deprecation(?=")/, /pets(?=[^,]*"successor-version")/] : []).map((part) =>
      defect(`without ${part} in Link`, 'announces', ({ headers }) =>
        headers.set('link', `${headers.get('link')}`.replace(part, 'x')),
      ),
    ),
    // The rule is checked neither for 401, which has no limit, nor with the read key, which gets 403.
    ...defectsIf(
      status !== 401 && status !== 403,
      defect('with a RateLimit of its own', 'states how many', ({ headers }) => {
        headers.set('ratelimit', '"default";r=9;t=1');
        // The rule learns from a `listPets 200` whether there is a limit: there, both headers are no defect.
        if (kind !== 'listPets 200') headers.set('ratelimit-policy', '"default";q=9;w=1');
      }),
    ),
    ...defectsIf(
      facts?.method === 'GET',
      defect('without X-Request-Id for HEAD', 'has the same headers for HEAD', ({ headers }, { method }) => {
        if (method === 'HEAD') headers.delete('x-request-id');
      }),
    ),
  ];
});
