import { connect } from 'node:net';
import { ErrorBody } from '@petstore/contract';

/** An answer as it stood on the wire. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  body: string;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\x80-\xff]*)$/;

/**
 * Sends bytes on a connection of their own, and reads until the server closes it. A server that waits
 * for more is told, after some silence, that no more will come.
 */
export function converse(origin: string, bytes: Uint8Array, silenceMs = 150): Promise<Buffer> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  let isSilent = false;
  socket.setTimeout(silenceMs, () => {
    if (isSilent) socket.destroy();
    isSilent = true;
    socket.end();
  });
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.on('close', () => resolve(Buffer.concat(chunks)));
  socket.write(bytes);
  return promise;
}

/**
 * Takes what came back apart, strictly (RFC 9112): nothing but whole answers with their length.
 *
 * @param method of the request: answers to HEAD may have a length and no body
 * @throws Error when it is anything else
 */
export function readAnswers(bytes: Buffer, method = 'GET'): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...fields] = rest.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
    const [, status] = STATUS_LINE.exec(statusLine) ?? [];
    if (status === undefined) throw new Error(`This is no HTTP answer: ${rest.toString('latin1', 0, 500)}`);
    const headers = new Headers();
    for (const field of fields) {
      const [, name, value = ''] = FIELD.exec(field) ?? [];
      if (name === undefined) throw new Error(`This is no header field: ${field}`);
      headers.append(name, value);
    }
    // A request that cannot be read is refused with a body, also where the caller meant it to be a HEAD.
    const mayLackBody = method === 'HEAD' && rest.length === end + 4;
    const hasBody = Number(status) >= 200 && status !== '304' && !mayLackBody;
    const length = hasBody ? Number(headers.get('content-length') ?? Number.NaN) : 0;
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length !== length) throw new Error(`A body of ${body.length} bytes says that it has ${length}`);
    answers.push({ status: Number(status), headers, body: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

/** Checks what holds of every answer: never a 5xx, and every error is an Error that says its status. */
export function assertOrderly({ status, headers, body }: WireAnswer, method = 'GET'): void {
  if (status >= 500) throw new Error(`The service failed with ${status}: ${body}`);
  if (status < 400) return;
  if (headers.get('content-type') !== 'application/json') {
    throw new Error(`An error must be application/json: ${headers.get('content-type')}`);
  }
  if (method === 'HEAD' && body === '') return;
  if (ErrorBody.parse(JSON.parse(body)).status !== status) {
    throw new Error(`An error with ${status} says another status: ${body}`);
  }
}
