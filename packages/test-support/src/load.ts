import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response under load. */
export interface TimedResponse {
  status: number;
  /** From when the request was due to the end of the response, in milliseconds. */
  latencyMs: number;
  /** Status line, headers and body. */
  text: string;
}

/** A load generator that costs little itself: open connections with one request at a time on each. */
export class Load implements AsyncDisposable {
  readonly #request: () => string;
  readonly #free: Socket[];
  readonly #due: { at: number; resolve: (response: TimedResponse) => void }[] = [];
  readonly #sockets: readonly Socket[];

  private constructor(request: () => string, sockets: Socket[]) {
    this.#request = request;
    this.#sockets = sockets;
    this.#free = [...sockets];
  }

  /** Opens connections to a server. */
  static async open(
    origin: string,
    { request, connections }: { request: () => string; connections: number },
  ) {
    const { hostname, port } = new URL(origin);
    const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new Load(request, sockets);
  }

  /** Sends a request on a free connection, or on the first that becomes free. */
  send(): Promise<TimedResponse> {
    const { promise, resolve } = Promise.withResolvers<TimedResponse>();
    this.#due.push({ at: performance.now(), resolve });
    this.#next();
    return promise;
  }

  #next(): void {
    const socket = this.#free.pop();
    if (socket === undefined) return;
    const due = this.#due.shift();
    if (due === undefined) {
      this.#free.push(socket);
      return;
    }
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!isComplete(text)) return;
      socket.off('data', read);
      this.#free.push(socket);
      due.resolve({ status: Number(text.slice(9, 12)), latencyMs: performance.now() - due.at, text });
      this.#next();
    };
    socket.on('data', read);
    socket.write(this.#request());
  }

  async [Symbol.asyncDispose]() {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * Whether a response is complete. One without a length, such as 304, has no body. This looks for the length
 * alone, because parsing the headers would cost the test more than the server.
 */
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const [, length = 0] = /\r\nContent-Length: (\d+)/.exec(text) ?? [];
  return end >= 0 && text.length >= end + 4 + Number(length);
}

/** The number that a share of the numbers does not exceed: 0.5 gives the median. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
