import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** Any test server responds sooner, even on a busy machine. */
const PATIENCE_MS = 60_000;

/**
 * Opens a connection to a server. Disposing the socket closes it. Its errors are not thrown, because a server may reset
 * it at any time: what matters is what was received before.
 */
export async function openSocket(origin: string, { allowHalfOpen = false } = {}) {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
  await once(socket, 'connect');
  socket.on('error', () => {});
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
}

/** @param line the method and the target */
export const requestHead = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');

export const bearer = (apiKey: string) => `Authorization: Bearer ${apiKey}`;

/**
 * Sends bytes on a new connection and reads the responses. A pause never counts as the end. Without `count`, the server
 * must close the connection: put `Connection: close` into the last request.
 * @param options.count return after this many responses; 1xx responses do not count
 * @returns all responses, 1xx included
 * @throws Error when the server sends something other than HTTP, or sends too little within a minute
 */
export async function sendRaw(origin: string, bytes: string | Uint8Array, { count = Infinity } = {}) {
  using socket = await openSocket(origin);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return await readResponses(socket, { count });
}

/** Reads the responses on a connection until there are `count`, or until the server closes it. */
export async function readResponses(socket: Socket, { count = Infinity } = {}): Promise<RawResponse[]> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse[]>();
  const responses: RawResponse[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const restText = () => rest.toString('latin1', 0, 500);
  const read = (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    try {
      for (let next = readFirst(rest); next !== undefined; next = readFirst(rest)) {
        responses.push(next.response);
        rest = rest.subarray(next.length);
      }
    } catch (error) {
      reject(error);
    }
    if (responses.filter(({ status }) => status >= 200).length >= count) resolve(responses);
  };
  const end = () => {
    if (rest.length > 0) reject(new Error(`This is not a complete response: ${restText()}`));
    resolve(responses);
  };
  const timer = setTimeout(() => {
    reject(new Error(`There are ${responses.length} responses after ${PATIENCE_MS} ms, and: ${restText()}`));
  }, PATIENCE_MS);
  socket.on('data', read).on('end', end).on('close', end);
  if (socket.closed) end();
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', read).off('end', end).off('close', end);
  });
}

/**
 * Reads the first response strictly (RFC 9112).
 * @returns the response and how many bytes it has, or `undefined` while it is incomplete
 * @throws Error when the bytes are not HTTP
 */
function readFirst(bytes: Buffer): { response: RawResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const { status, headers } = parseHead(bytes.toString('latin1', 0, headEnd));
  const bodyStart = headEnd + 4;
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  const length = bodyStart + (hasBody ? readLength(headers) : 0);
  if (bytes.length < length) return undefined;
  return { response: { status, headers, body: bytes.toString('utf8', bodyStart, length) }, length };
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\x80-\xff]*)$/;

function parseHead(head: string): { status: number; headers: Headers } {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const [, status] = STATUS_LINE.exec(statusLine) ?? [];
  if (status === undefined) throw new Error(`This is not an HTTP response: ${head.slice(0, 500)}`);
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) throw new Error(`This is not a header: ${line}`);
    headers.append(name, value);
  }
  return { status: Number(status), headers };
}

function readLength(headers: Headers): number {
  const length = headers.get('content-length') ?? '';
  if (/^\d+$/.test(length)) return Number(length);
  throw new Error(`This response has no length: ${JSON.stringify([...headers])}`);
}
