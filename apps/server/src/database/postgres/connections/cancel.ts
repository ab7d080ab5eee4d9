import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';

// PostgreSQL documentation, "Message Formats".
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;

/** Where a connection leads, and how it is encrypted. */
export interface Target {
  /** A name, an address, or the folder of a Unix socket. */
  host: string;
  port: number;
  /** @default not encrypted */
  tls?: ConnectionOptions | undefined;
  sslnegotiation?: 'postgres' | 'direct' | undefined;
}

/** What the server gave a connection at its start, by which another connection can cancel its statement. */
export interface BackendKey {
  processID: number;
  secretKey: number;
}

/**
 * Asks the server to cancel the statement that a connection waits for. node-postgres has a `cancel` that
 * neither encrypts nor says when it is done.
 *
 * @returns once the server has passed the request on; whether it had an effect is seen on the connection only
 * @throws the error of the system, or `TimeoutError`, when the request cannot be delivered
 */
export async function requestCancel(target: Target, key: BackendKey, timeoutMs: number): Promise<void> {
  const { host, port } = target;
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  // Between two waits nothing else listens.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal });
    const stream = target.tls ? await encrypt(socket, target, signal) : socket;
    stream.write(encode(CANCEL_REQUEST, key.processID, key.secretKey));
    // The server sends no response: it closes the connection.
    stream.resume();
    await once(stream, 'close', { signal });
  } finally {
    socket.destroy();
  }
}

async function encrypt(
  socket: Socket,
  { host, tls, sslnegotiation }: Target,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const isDirect = sslnegotiation === 'direct';
  if (!isDirect) {
    socket.write(encode(SSL_REQUEST));
    const [response] = await once(socket, 'data', { signal });
    if (String(response) !== 'S') throw new Error('The server does not support TLS');
  }
  const stream = connectTls({
    ...tls,
    socket,
    host,
    // RFC 6066, section 3: a literal address is not allowed here.
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirect && { ALPNProtocols: ['postgresql'] }),
  });
  stream.on('error', () => {});
  await once(stream, 'secureConnect', { signal });
  return stream;
}

/** A message without a type: its length, and numbers. */
function encode(...numbers: number[]): Buffer {
  const message = Buffer.alloc(4 * (numbers.length + 1));
  for (const [index, number] of [message.length, ...numbers].entries())
    message.writeInt32BE(number, 4 * index);
  return message;
}
