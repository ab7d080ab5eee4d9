import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../servers/listen.ts';

export interface ForwardedResponse {
  status: number;
  /** Without connection-specific headers (RFC 9110, section 7.6.1). */
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One request at the proxy. */
export interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  /** Sends the request to the server unchanged, and returns the complete response. */
  forward(): Promise<ForwardedResponse>;
}

/** Handles one request that reaches the proxy. */
export type Fault = (passage: Passage) => unknown;

/** Forwards the request and the response as they are. */
export const forwardUnchanged: Fault = async ({ response, forward }) => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers).end(body);
};

export interface HttpProxy extends Listening {
  /** All received requests, in order. */
  requests: readonly IncomingMessage[];
}

/**
 * Starts an HTTP proxy that can change, delay or drop each request and response.
 * @param options.target returns the origin of the server
 * @param options.fault returns the handler of a request, by its index from 0 @default `forwardUnchanged`
 */
export async function startHttpProxy({
  target,
  fault = () => forwardUnchanged,
}: {
  target(): string;
  fault?(index: number): Fault;
}): Promise<HttpProxy> {
  const requests: IncomingMessage[] = [];

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const index = requests.push(request) - 1;
    await fault(index)({ request, response, forward: () => forwardTo(target(), request) });
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  return { ...(await listen(server)), requests };
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

function forwardTo(origin: string, incoming: IncomingMessage): Promise<ForwardedResponse> {
  const { method = 'GET', url = '', headers } = incoming;
  const { promise, resolve, reject } = Promise.withResolvers<ForwardedResponse>();
  const outgoing = sendRequest(
    origin,
    { path: url, method, headers, setDefaultHeaders: false },
    (response) => {
      buffer(response).then((body) => {
        const headers = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body });
      }, reject);
    },
  );
  outgoing.on('error', reject);
  incoming.on('error', () => outgoing.destroy());
  incoming.pipe(outgoing);
  return promise;
}
