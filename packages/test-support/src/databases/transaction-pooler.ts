import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A connection pooler that gives a client a server for one transaction at a time. */
export interface TransactionPooler extends AsyncDisposable {
  /** The database's URL through the pooler. */
  url: string;
  /** Leads new connections to another server, and idle ones too, without ending those of clients. */
  aim(url: string): void;
}

// PostgreSQL's protocol, version 3 (PostgreSQL documentation, 55.7 Message Formats).
const SSL_REQUEST = 80877103;
const CANCEL_REQUEST = 80877102;
const READY_FOR_QUERY = 'Z';
const IDLE = 'I';
const TERMINATE = 'X';

/**
 * Starts a pooler that behaves as PgBouncer does with `pool_mode = transaction` and without support for
 * prepared statements: whatever a client leaves on a connection, such as a setting or a prepared
 * statement, the next transaction of any client finds there. It takes every client for the user of `url`.
 */
export async function startTransactionPooler(
  url: string,
  { size }: { size: number },
): Promise<TransactionPooler> {
  let target = new URL(url);
  let generation = 0;
  let opened = 0;
  const idle: PooledServer[] = [];
  const waiting: ((server: PooledServer) => void)[] = [];
  const sockets = new Set<Socket>();
  const running = new Map<number, PooledServer>();
  let lastKey = 1_000_000_000;

  function track(socket: Socket): Socket {
    sockets.add(socket);
    // A batch of messages is handed on one by one.
    socket.setNoDelay();
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  }

  async function acquire(): Promise<PooledServer> {
    for (let server = idle.pop(); server; server = idle.pop()) {
      if (!server.socket.destroyed && server.generation === generation) return server;
      server.socket.destroy();
    }
    if (opened >= size) {
      const { promise, resolve } = Promise.withResolvers<PooledServer>();
      waiting.push(resolve);
      return promise;
    }
    opened += 1;
    const socket = track(connect(Number(target.port), target.hostname));
    socket.once('close', () => {
      opened -= 1;
      const next = waiting.shift();
      if (next) acquire().then(next, () => {});
    });
    return logIn(socket, target, generation);
  }

  function release(server: PooledServer): void {
    const next = server.generation === generation ? waiting.shift() : undefined;
    if (next) next(server);
    else idle.push(server);
  }

  function serve(client: Socket): void {
    lastKey += 1;
    const key = lastKey;
    let server: Promise<PooledServer> | undefined;
    let isStarted = false;
    const messages = new MessageReader(() => isStarted);
    client.once('close', () => {
      running.delete(key);
      // As PgBouncer: a server whose client left in the middle of a transaction is closed.
      void server?.then(
        ({ socket }) => socket.destroy(),
        () => {},
      );
    });
    client.on('data', (chunk) => {
      for (const message of messages.read(chunk)) take(message);
    });

    function take(message: Message): void {
      if (!isStarted) {
        start(message);
        return;
      }
      if (message.type === TERMINATE) {
        client.end();
        return;
      }
      server ??= acquire().then((acquired) => {
        running.set(key, acquired);
        acquired.onMessage = ({ type, bytes }) => {
          client.write(bytes);
          if (type !== READY_FOR_QUERY || bytes.toString('latin1', 5, 6) !== IDLE) return;
          running.delete(key);
          server = undefined;
          acquired.onClose = () => {};
          release(acquired);
        };
        acquired.onClose = () => client.destroy();
        return acquired;
      });
      server.then(
        ({ socket }) => socket.write(message.bytes),
        () => client.destroy(),
      );
    }

    function start({ bytes }: Message): void {
      const code = bytes.readInt32BE(4);
      if (code === SSL_REQUEST) {
        client.write('N');
        return;
      }
      if (code === CANCEL_REQUEST) {
        const cancelled = running.get(bytes.readInt32BE(8));
        if (cancelled === undefined) client.end();
        else cancel(cancelled, target, track).finally(() => client.end());
        return;
      }
      isStarted = true;
      client.write(
        Buffer.concat([
          encode('R', int32(0)),
          encode('S', Buffer.from('client_encoding\0UTF8\0')),
          encode('K', Buffer.concat([int32(key), int32(key)])),
          encode('Z', Buffer.from(IDLE)),
        ]),
      );
    }
  }

  const listener = createServer((client) => serve(track(client))).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const pooled = new URL(url);
  pooled.port = String(typeof address === 'object' && address ? address.port : 0);
  return {
    url: pooled.href,
    aim(other) {
      target = new URL(other);
      generation += 1;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

interface PooledServer {
  socket: Socket;
  generation: number;
  /** From BackendKeyData: what cancels its statement. */
  key: Buffer;
  onMessage: (message: Message) => void;
  onClose: () => void;
}

interface Message {
  type: string;
  /** All of it, type and length included. */
  bytes: Buffer;
}

/** Cuts a stream into messages; those before the start of a session have no type. */
class MessageReader {
  readonly #isTyped: () => boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(isTyped: () => boolean) {
    this.#isTyped = isTyped;
  }

  *read(chunk: Buffer): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const head = this.#isTyped() ? 1 : 0;
      if (this.#rest.length < head + 4) return;
      const length = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: bytes.toString('latin1', 0, head), bytes };
    }
  }
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const encode = (type: string, body: Buffer) =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);

/** Starts a session with a password in plain text, as embedded PostgreSQL asks for one. */
async function logIn(socket: Socket, { username, password, pathname }: URL, generation: number) {
  const parameters = ['user', username, 'database', pathname.slice(1), ''].join('\0');
  const startup = Buffer.concat([int32(196_608), Buffer.from(`${parameters}\0`)]);
  const ready = Promise.withResolvers<void>();
  const server: PooledServer = {
    socket,
    generation,
    key: Buffer.alloc(8),
    onMessage: logInStep,
    onClose: () => {},
  };
  const messages = new MessageReader(() => true);
  socket.on('data', (chunk) => {
    for (const message of messages.read(chunk)) server.onMessage(message);
  });
  socket.once('close', () => {
    ready.reject(new Error('The server ended the connection'));
    server.onClose();
  });
  socket.write(Buffer.concat([int32(startup.length + 4), startup]));

  function logInStep({ type, bytes }: Message): void {
    if (type === 'R' && bytes.readInt32BE(5) === 3) socket.write(encode('p', Buffer.from(`${password}\0`)));
    if (type === 'K') server.key = Buffer.from(bytes.subarray(5));
    if (type === READY_FOR_QUERY) ready.resolve();
  }

  await ready.promise;
  return server;
}

async function cancel({ key }: PooledServer, { port, hostname }: URL, track: (socket: Socket) => Socket) {
  const socket = track(connect(Number(port), hostname));
  socket.write(Buffer.concat([int32(8 + key.length), int32(CANCEL_REQUEST), key]));
  await once(socket, 'close');
}
