import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@petstore/test-support/servers/listen';
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
  /** Where to close the connection. */
  cut?: 'before the response' | 'within the body';
  /** Bytes to send in place of a response. */
  raw?: string;
}

/** A service on loopback that responds as a test wants and records its requests. Closed after the test. */
export async function serveReplies(reply: Reply | ((request: Request) => Reply)) {
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
    if (cut === 'before the response') return incoming.socket.destroy();
    outgoing.writeHead(status, { 'content-type': 'application/json', ...rest.headers });
    if (cut === undefined) return outgoing.end(body);
    return outgoing.write(body, () => incoming.socket.destroy());
  });
  const { origin, ...closing } = await listen(server);
  onTestFinished(() => closing[Symbol.asyncDispose]());
  return { baseUrl: `${origin}/v1`, requests };
}

/** An Error response as the service sends it. */
export const errorReply = (status: number, code: string, message: string): Reply => ({
  status,
  headers: { 'x-request-id': 'r-1' },
  body: JSON.stringify({ code, message, status }),
});
