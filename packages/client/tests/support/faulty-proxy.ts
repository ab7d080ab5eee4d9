import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@petstore/test-support/servers/listen';
import { createPetStore, type Fetch, type PetStoreOptions } from '../../src/index.ts';
import { createMemoryPetStore } from '../../src/testing/memory-pet-store.ts';

type ForwardedResponse = Awaited<ReturnType<typeof forwardRequest>>;

async function forwardRequest(request: IncomingMessage, fetch: Fetch) {
  const { method = 'GET', url = '' } = request;
  const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]));
  const forwarded = await fetch(`http://${request.headers.host}${url}`, { method, headers, body });
  const bytes = Buffer.from(await forwarded.arrayBuffer());
  return { status: forwarded.status, headers: Object.fromEntries(forwarded.headers), body: bytes };
}

interface ProxiedRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Sends the request to the in-memory pet store unchanged, and returns its response. */
  forward(): Promise<ForwardedResponse>;
}

type Fault = (request: ProxiedRequest) => unknown;

/** A fault that forwards the request, and then sends a response of its own. */
const respond =
  (send: (response: ServerResponse, forwarded: ForwardedResponse) => unknown): Fault =>
  async ({ response, forward }) =>
    send(response, await forward());

const forwardUnchanged = respond((response, { status, headers, body }) =>
  response.writeHead(status, headers).end(body),
);

const delays = {
  'delays the request beyond the timeout': () => {},
  'delays the response beyond the timeout': respond(() => {}),
  'delays the rest of the response body beyond the timeout': respond((response, { status, headers, body }) =>
    response
      .writeHead(status, { ...headers, 'content-length': body.length })
      .write(body.subarray(0, body.length / 2)),
  ),
} as const satisfies Record<string, Fault>;

/** Whether a call ends by its timeout if every attempt meets the fault. */
export const isDelay = (fault: Fault) => Object.values<Fault>(delays).includes(fault);

/** The timeout of an attempt in tests with a delay: each such attempt takes so long. */
export const DELAYED_TIMEOUT_MS = 500;

/** Faults in which the response is lost, before or after the service processed the request. */
export const lostResponses = {
  'closes the connection before it forwards the request': ({ request }) => request.socket.destroy(),
  'resets the connection instead of a response': respond(({ socket }) => socket?.resetAndDestroy()),
  'omits the last chunk': respond((response, { status, headers, body }) =>
    response.writeHead(status, headers).write(body, () => response.socket?.end()),
  ),
  ...delays,
} as const satisfies Record<string, Fault>;

/** Changes to a response that keep its meaning. */
export const harmlessChanges = {
  'sends the body byte by byte': respond(async (response, { status, headers, body }) => {
    response.writeHead(status, headers).flushHeaders();
    for (const byte of body)
      await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => setImmediate(resolve)));
    response.end();
  }),
  'adds a byte order mark': respond((response, { status, headers, body }) =>
    response.writeHead(status, headers).end(`\ufeff${body}`),
  ),
  'removes all headers': respond((response, { status, body }) => response.writeHead(status).end(body)),
} as const satisfies Record<string, Fault>;

const badGateway = (response: ServerResponse) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');

/** Responses that the proxy generates itself. */
export const proxyResponses = {
  'responds 502 with an HTML page before it forwards the request': ({ response }) => badGateway(response),
  'responds 502 with an HTML page after it forwarded the request': respond(badGateway),
  'responds 503 without a body': ({ response }) => response.writeHead(503).end(),
  'responds 504 with truncated JSON': ({ response }) => response.writeHead(504).end('{"co'),
} as const satisfies Record<string, Fault>;

/** An Error response of the service. */
export const errorResponse =
  (status: number, code: string, headers: Record<string, string>): Fault =>
  ({ response }) =>
    response.writeHead(status, headers).end(JSON.stringify({ code, message: 'Later.', status }));

const opened: AsyncDisposable[] = [];

/** Each test file calls this in `afterAll`. A hook here would run for one file of a worker only. */
export const closeProxies = () => Promise.all(opened.splice(0).map((proxy) => proxy[Symbol.asyncDispose]()));

/** A store behind a proxy that applies the faults to the first requests and forwards the others. See `closeProxies`. */
export async function storeBehindProxy(faults: Fault[], options: Partial<PetStoreOptions> = {}) {
  const { apiKey, pets, fetch } = createMemoryPetStore();
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    const fault = faults[requests.length - 1] ?? forwardUnchanged;
    await fault({ request, response, forward: () => forwardRequest(request, fetch) });
  });
  const proxy = await listen(server);
  opened.push(proxy);
  const baseUrl = `${proxy.origin}/v1`;
  const store = createPetStore({
    baseUrl,
    apiKey,
    // Long, because the machine may be busy.
    attemptTimeoutMs: faults.some(isDelay) ? DELAYED_TIMEOUT_MS : 20_000,
    retryDelayMs: 1,
    ...options,
  });
  return { store, baseUrl, apiKey, requests, pets };
}
