import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@petstore/test-support/listen';
import { onTestFinished } from 'vitest';

export interface Request {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Cut the connection after this much of the answer. */
  cut?: 'before the answer' | 'within the body';
  /** The bytes of the answer, in place of all the others. */
  raw?: string;
}

/** A service on loopback that answers as a test wants, and remembers what it was asked. Closed after the test. */
export async function serve(reply: Reply | ((request: Request) => Reply)) {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    requests.push(request);
    const {
      status = 200,
      body = '',
      cut,
      raw,
      ...rest
    } = typeof reply === 'function' ? reply(request) : reply;
    if (raw !== undefined) return incoming.socket.end(raw);
    if (cut === 'before the answer') return incoming.socket.destroy();
    outgoing.writeHead(status, { 'content-type': 'application/json', ...rest.headers });
    if (cut === undefined) return outgoing.end(body);
    return outgoing.write(body, () => incoming.socket.destroy());
  });
  const { origin, ...closing } = await listen(server);
  onTestFinished(() => closing[Symbol.asyncDispose]());
  return { baseUrl: `${origin}/v1`, requests };
}

/** An Error body as the service writes it. */
export const errorReply = (status: number, code: string, message: string): Reply => ({
  status,
  headers: { 'x-request-id': 'r-1' },
  body: JSON.stringify({ code, message, status }),
});
