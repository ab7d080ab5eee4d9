import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { Nonconformity } from './nonconformity.ts';
import { address, type Target } from './target.ts';

/** Milliseconds that a connection may stand still. */
const TIME_LIMIT = 10_000;

/** The text of a request without a body, as it goes over the wire. */
export function requestText(
  target: Target,
  method: string,
  path: string,
  fields: Record<string, string> = {},
): string {
  const { host, pathname, search } = new URL(address(target, path));
  const all = { Host: host, Authorization: `Bearer ${target.apiKey}`, ...fields };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/**
 * Sends a text as it is, for what `fetch` cannot send, over a connection of its own, and reads what comes
 * until the other side closes the connection: the last request must ask for that.
 *
 * @throws Nonconformity when the connection breaks or stands still for 10 s
 */
export async function exchange({ baseUrl }: Target, text: string): Promise<string> {
  const socket = open(new URL(baseUrl));
  socket.setTimeout(TIME_LIMIT, () => socket.destroy(new Error(`nothing within ${TIME_LIMIT} ms`)));
  socket.setEncoding('utf8');
  socket.write(text);
  let answer = '';
  try {
    for await (const chunk of socket) answer += chunk;
    return answer;
  } catch (cause) {
    const [requestLine] = text.split('\r\n');
    throw new Nonconformity(`${requestLine}: expected an answer, got ${cause}`, { cause });
  }
}

function open({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replaceAll(/[[\]]/g, '');
  if (protocol === 'http:') return connect({ host, port: Number(port || 80) });
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectSecurely({ host, port: Number(port || 443), ALPNProtocols: ['http/1.1'], ...servername });
}
