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
  /** Lets the service do the work and gives its answer. */
  forward(): Promise<{ status: number; headers: Record<string, string>; body: string }>;
}

/** What the proxy does to one exchange. */
type Fault = (passage: Passage) => unknown;

const pass: Fault = async ({ response, forward }) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers).end(body);
};

const halfOf = async ({ response, forward }: Passage) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  await new Promise<void>((resolve) => response.write(body.slice(0, body.length / 2), () => resolve()));
};

/** Faults in which the answer is lost, before or after the service did the work. */
export const losses = {
  'cuts before the work': ({ request }) => request.socket.destroy(),
  'cuts after the work': async ({ request, forward }) => {
    await forward();
    request.socket.destroy();
  },
  'cuts within the body': async (passage) => {
    await halfOf(passage);
    passage.request.socket.destroy();
  },
  'promises more bytes than it sends': async ({ request, response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) + 1 });
    response.write(body, () => request.socket.end());
  },
  'leaves the last chunk out': async ({ request, response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).write(body, () => request.socket.end());
  },
  'answers with something that is no HTTP': async ({ request, forward }) => {
    await forward();
    request.socket.end('220 mail.example ready\r\n\r\n');
  },
  'delays the request beyond the time limit': () => {},
  'delays the answer beyond the time limit': ({ forward }) => forward(),
  'delays the rest of the body beyond the time limit': halfOf,
} as const satisfies Record<string, Fault>;

/** What a proxy may do to an answer, and it stays the same answer. */
export const detours = {
  'sends early hints before': async (passage) => {
    passage.response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    await pass(passage);
  },
  'says before that it works on it': async (passage) => {
    passage.response.writeProcessing();
    await pass(passage);
  },
  'compresses it': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(body));
  },
  'sends it byte by byte': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).flushHeaders();
    for (const byte of Buffer.from(body)) {
      await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => setImmediate(resolve)));
    }
    response.end();
  },
  'puts a byte order mark before it': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).end(`\ufeff${body}`);
  },
  'says that it is text': async ({ response, forward }) => {
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end(body);
  },
  'does not say what it is': async ({ response, forward }) => {
    const { status, body } = await forward();
    response.writeHead(status).end(body);
  },
} as const satisfies Record<string, Fault>;

/** Sends each answer twice, at once: the second is there before the next request. */
export const twice: Fault = async ({ request, forward }) => {
  const { status, body } = await forward();
  const answer = `HTTP/1.1 ${status} OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  request.socket.write(answer + answer);
};

/** Answers of the proxy's own. */
export const answers = {
  'answers 502 with an HTML page before the work': ({ response }) => badGateway(response),
  'answers 502 with an HTML page after the work': async ({ response, forward }) => {
    await forward();
    badGateway(response);
  },
  'answers 503 without a body': ({ response }) => response.writeHead(503).end(),
  'answers 504 with half a JSON': ({ response }) => response.writeHead(504).end('{"co'),
} as const satisfies Record<string, Fault>;

const badGateway = (response: ServerResponse) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');

/** An Error of the service's, with a Retry-After. */
export const refuse =
  (status: number, code: string, retryAfter: string, headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    response
      .writeHead(status, { 'retry-after': retryAfter, ...headers })
      .end(JSON.stringify({ code, message: 'Later.', status }));

// For the whole file, so that its tests can run at the same time.
const opened: AsyncDisposable[] = [];
afterAll(() => Promise.all(opened.map((server) => server[Symbol.asyncDispose]())));

/** A store behind a proxy that does to each exchange in turn what is said, and lets the others pass. */
export async function storeBehind(faults: Fault[], options: Partial<PetStoreOptions> = {}) {
  const service = await serveMemory();
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    const fault = faults[requests.length] ?? pass;
    requests.push(request);
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const forward = async () => {
      const answer = await fetch(new URL(url, service.baseUrl), {
        method,
        headers: new Headers(Object.entries(headers).map(([name, value]) => [name, `${value}`])),
        body: body || null,
      });
      const fields = new Headers(answer.headers);
      // How the body was framed is for the next hop to say.
      for (const name of ['transfer-encoding', 'connection', 'keep-alive']) fields.delete(name);
      return { status: answer.status, headers: Object.fromEntries(fields), body: await answer.text() };
    };
    await fault({ request, response, forward });
  });
  const { origin, ...closing } = await listen(server);
  opened.push(closing, service);
  const baseUrl = `${origin}/v1`;
  const { apiKey, pets: animals } = service.memory;
  const store = createPetStore({
    baseUrl,
    apiKey,
    attemptTimeoutMs: 2_000,
    retryDelayMs: 1,
    ...options,
  });
  return { store, baseUrl, apiKey, requests, animals };
}
