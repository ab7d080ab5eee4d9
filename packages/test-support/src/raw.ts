import { connect } from 'node:net';
import { ErrorBody } from '@petstore/contract';

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes on a bare socket and reads what comes back, until the server closes or it is quiet for a while. */
export function sendRaw(origin: string, bytes: string | Buffer, quietMs = 300): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers<RawAnswer[]>();
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  const done = () => {
    socket.destroy();
    resolve(parseAnswers(received));
  };
  let timer = setTimeout(done, 10_000);
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    clearTimeout(timer);
    timer = setTimeout(done, quietMs);
  });
  socket.on('close', () => {
    clearTimeout(timer);
    done();
  });
  socket.on('error', () => {});
  socket.write(bytes);
  return promise;
}

/** Reads an Error body, and checks that it says the status that it came with. */
export function errorOf({ status, headers, body }: RawAnswer): ErrorBody {
  const error = ErrorBody.parse(JSON.parse(body));
  if (error.status !== status || headers.get('content-type') !== 'application/json') {
    throw new Error(`An answer ${status} must be an Error body with that status: ${body}`);
  }
  return error;
}

function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [statusLine = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      fields.map((field): [string, string] => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers.get('content-length') ?? 0);
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
