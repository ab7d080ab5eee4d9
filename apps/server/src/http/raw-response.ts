import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { stringifyJson } from '@petstore/contract';
import type { HttpError } from './http-error.ts';
import { limits } from './limits.ts';

/**
 * Refuses a request on a socket that has no response object, because Node refused it before there was
 * one; then closes the socket. Error body and header fields are those of all refusals.
 *
 * @returns the id that the answer gives the request
 */
export function sendRawError(socket: Duplex, error: HttpError): string {
  const requestId = randomUUID();
  const body = stringifyJson(error.toBody());
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
    Date: new Date().toUTCString(),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...error.headers,
  };
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${fields.join('')}\r\n`;
  socket.end(head + body);
  // A caller that never closes its side would keep the connection for good.
  const timer = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(timer));
  return requestId;
}
