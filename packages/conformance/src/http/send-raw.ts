import { connect, isIP, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { type Target, urlOf } from '../target.ts';
import { telnetOf } from './curl.ts';
import type { RawResponse } from './response.ts';
import { limitOf, MAX_RESPONSE_BYTES, noResponse, replayOf } from './send.ts';

/** The text of a request without a body, as it goes over the wire. */
export function requestText(
  target: Target,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): string {
  const { host, pathname, search } = new URL(urlOf(target, path));
  const all = { Host: host, Authorization: `Bearer ${target.apiKey}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A response that asks to wait, and for how many seconds. */
const RATE_LIMITED = /^HTTP\/1\.1 429 .*\r\n(?:[^\r\n]+\r\n)*?retry-after: *(\d+)\r\n/im;

/**
 * Sends a text as it is, for what `fetch` cannot send, over a connection of its own, and reads what comes
 * until the server closes the connection: the last request must ask for that. Where a 429 is among the responses,
 * it waits for as long as that says and sends the text again.
 *
 * @returns the status of the first response, or 0, and as `text` all that came
 * @throws NoResponseError when the connection breaks, or is not closed within the time limit
 */
export async function sendRaw(target: Target, text: string): Promise<RawResponse> {
  const curl = telnetOf(target, text);
  const [request = ''] = text.split('\r\n');
  const headers = new Headers();
  for (;;) {
    const received = await sendRawOnce(target, text).catch((cause) => {
      throw noResponse(request, curl, cause);
    });
    const retryAfter = RATE_LIMITED.exec(received)?.[1];
    if (retryAfter === undefined) {
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? 0);
      const replay = replayOf(target, curl, status, headers, received);
      return { request, url: target.baseUrl, status, headers, text: received, replay };
    }
    await sleep(Number(retryAfter) * 1_000, undefined, { signal: target.signal });
  }
}

/** The text that comes back. @throws when the connection breaks, or is not closed in time */
async function sendRawOnce({ baseUrl, signal }: Target, text: string): Promise<string> {
  const socket = open(new URL(baseUrl));
  addAbortSignal(limitOf(signal), socket);
  socket.setEncoding('utf8');
  socket.write(text);
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    if (received.length > MAX_RESPONSE_BYTES) throw new Error(`more than ${MAX_RESPONSE_BYTES} characters`);
  }
  return received;
}

function open({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replaceAll(/[[\]]/g, '');
  if (protocol === 'http:') return connect({ host, port: Number(port || 80) });
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectSecurely({ host, port: Number(port || 443), ALPNProtocols: ['http/1.1'], ...servername });
}
