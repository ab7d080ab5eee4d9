import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { listen } from '@petstore/test-support/listen';
import { afterAll } from 'vitest';
import { createPetStore, type PetStoreOptions } from '../src/index.ts';
import { serveMemory } from './serve-memory.ts';

interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  /** Sends the request to the service and returns the response. */
  forward(): Promise<{ status: number; headers: Record<string, string>; body: string }>;
}

/** What the proxy does with a request. */
type Fault = (passage: Passage) => unknown;

const pass: Fault = async ({ response, forward }) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers).end(body);
};

const sendHalf = async ({ response, forward }: Passage) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  await new Promise<void>((resolve) => response.write(body.slice(0, body.length / 2), () => resolve()));
};

/** Faults in which the response is lost, before or after the service processed the request. */
export const lostResponses = {
  'closes the connection before it forwards the request': ({ request }) => request.socket.destroy(),
  'closes the connection after it forwarded the request': async ({ request, forward }) => {
    await forward();
    request.socket.destroy();
  },
  'closes the connection within the response body': async (passage) => {
    await sendHalf(passage);
    passage.request.socket.destroy();
  },
  'sends fewer bytes than the content length': async ({ request, response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) + 1 });
    response.write(body, () => request.socket.end());
  },
  'omits the last chunk': async ({ request, response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).write(body, () => request.socket.end());
  },
  'sends bytes that are not HTTP': async ({ request, forward }) => {
    await forward();
    request.socket.end('220 mail.example ready\r\n\r\n');
  },
  'delays the request beyond the timeout': () => {},
  'delays the response beyond the timeout': ({ forward }) => forward(),
  'delays the rest of the response body beyond the timeout': sendHalf,
} as const satisfies Record<string, Fault>;

/** Changes to a response that keep its meaning. */
export const harmlessChanges = {
  'sends early hints first': async (passage) => {
    passage.response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    await pass(passage);
  },
  'sends 102 (Processing) first': async (passage) => {
    passage.response.writeProcessing();
    await pass(passage);
  },
  'compresses the body': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(body));
  },
  'sends the body byte by byte': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).flushHeaders();
    for (const byte of Buffer.from(body)) {
      await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => setImmediate(resolve)));
    }
    response.end();
  },
  'adds a byte order mark': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).end(`\ufeff${body}`);
  },
  'changes the media type to text': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end(body);
  },
  'removes all headers': async ({ response, forward }) => {
    const { status, body } = await forward();
    response.writeHead(status).end(body);
  },
} as const satisfies Record<string, Fault>;

/** Sends each response twice at once: the second copy arrives before the next request. */
export const respondTwice: Fault = async ({ request, forward }) => {
  const { status, body } = await forward();
  const response = `HTTP/1.1 ${status} OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  request.socket.write(response + response);
};

/** Responses of the proxy's own. */
export const proxyResponses = {
  'responds 502 with an HTML page before it forwards the request': ({ response }) => badGateway(response),
  'responds 502 with an HTML page after it forwarded the request': async ({ response, forward }) => {
    await forward();
    badGateway(response);
  },
  'responds 503 without a body': ({ response }) => response.writeHead(503).end(),
  'responds 504 with truncated JSON': ({ response }) => response.writeHead(504).end('{"co'),
} as const satisfies Record<string, Fault>;

const badGateway = (response: ServerResponse) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');

/** An Error response of the service, with a Retry-After. */
export const errorResponse =
  (status: number, code: string, retryAfter: string, headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    response
      .writeHead(status, { 'retry-after': retryAfter, ...headers })
      .end(JSON.stringify({ code, message: 'Later.', status }));

// Closed after the whole file, so that its tests can run at the same time.
const opened: AsyncDisposable[] = [];
afterAll(() => Promise.all(opened.map((server) => server[Symbol.asyncDispose]())));

/** A store behind a proxy that applies the faults to the first requests and forwards the others. */
export async function storeBehindProxy(faults: Fault[], options: Partial<PetStoreOptions> = {}) {
  const service = await serveMemory();
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    const fault = faults[requests.length] ?? pass;
    requests.push(request);
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const forward = async () => {
      const forwarded = await fetch(new URL(url, service.baseUrl), {
        method,
        headers: new Headers(Object.entries(headers).map(([name, value]) => [name, `${value}`])),
        body: body || null,
      });
      const forwardedHeaders = new Headers(forwarded.headers);
      // These headers describe one connection only (RFC 9110, section 7.6.1).
      for (const name of ['transfer-encoding', 'connection', 'keep-alive']) forwardedHeaders.delete(name);
      const { status } = forwarded;
      return { status, headers: Object.fromEntries(forwardedHeaders), body: await forwarded.text() };
    };
    await fault({ request, response, forward });
  });
  const { origin, ...closing } = await listen(server);
  opened.push(closing, service);
  const baseUrl = `${origin}/v1`;
  const { apiKey, pets } = service.memory;
  const store = createPetStore({
    baseUrl,
    apiKey,
    attemptTimeoutMs: 2_000,
    retryDelayMs: 1,
    ...options,
  });
  return { store, baseUrl, apiKey, requests, pets };
}
