import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { limits } from '../limits.ts';
import { STATUS_CODES } from '../node-http.ts';
import type { HttpError } from './http-error.ts';

/**
 * Refuses on the socket what Node could not parse as a request, so that there is no response object; then
 * closes the socket.
 *
 * @returns what identifies the response in the log
 */
export function sendRawError(socket: Duplex, error: HttpError): { requestId: string; status: number } {
  const requestId = randomUUID();
  const { status, headers, body = '' } = error.toResponse();
  const fields = [
    ...headers,
    ...['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'],
    ...['Date', new Date().toUTCString(), 'X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId],
  ];
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < fields.length; index += 2) head += `${fields[index]}: ${fields[index + 1]}\r\n`;
  socket.end(`${head}\r\n${body}`);
  // A caller that never closes its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(timer));
  return { requestId, status };
}
