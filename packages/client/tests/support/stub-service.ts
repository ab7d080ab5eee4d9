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
  /** Closes the connection without a response. */
  isCut?: boolean;
  /** Bytes to send instead of a response. */
  raw?: string;
}

/** Starts a loopback service that sends the given reply and records the requests. It closes after the test. */
export async function serveReplies(reply: Reply | ((request: Request) => Reply)) {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    requests.push(request);
    const {
      status = 200,
      body = '',
      isCut,
      raw,
      ...rest
    } = typeof reply === 'function' ? reply(request) : reply;
    if (raw !== undefined) return incoming.socket.end(raw);
    if (isCut) return incoming.socket.destroy();
    return outgoing.writeHead(status, { 'content-type': 'application/json', ...rest.headers }).end(body);
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
