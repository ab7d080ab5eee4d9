import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer under load. */
export interface Measured {
  status: number;
  /** From the moment the request was due, in milliseconds. */
  latencyMs: number;
  /** Head and body. */
  text: string;
}

/** A load generator that costs little itself: kept connections, one request after another on each. */
export class Load implements AsyncDisposable {
  readonly #request: () => string;
  readonly #free: Socket[];
  readonly #due: { at: number; resolve: (measured: Measured) => void }[] = [];
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
  send(): Promise<Measured> {
    const { promise, resolve } = Promise.withResolvers<Measured>();
    this.#due.push({ at: performance.now(), resolve });
    this.#next();
    return promise;
  }

  /** Sends requests at a rate, whether answers come or not, and waits for all of them. */
  async sendAt(perSecond: number, durationMs: number): Promise<Measured[]> {
    const sent: Promise<Measured>[] = [];
    const start = performance.now();
    for (let passed = 0; passed < durationMs; passed = performance.now() - start) {
      while (sent.length < (perSecond * passed) / 1000) sent.push(this.send());
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return Promise.all(sent);
  }

  /** Keeps all connections busy for a while. */
  async sendSteadily(durationMs: number): Promise<Measured[]> {
    const end = performance.now() + durationMs;
    const measured: Measured[] = [];
    const keepBusy = async () => {
      while (performance.now() < end) measured.push(await this.send());
    };
    await Promise.all(this.#sockets.map(keepBusy));
    return measured;
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
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!isComplete(text)) return;
      socket.off('data', take);
      this.#free.push(socket);
      due.resolve({ status: Number(text.slice(9, 12)), latencyMs: performance.now() - due.at, text });
      this.#next();
    };
    socket.on('data', take);
    socket.write(this.#request());
  }

  async [Symbol.asyncDispose]() {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Whether an answer is there as a whole; one that has no length, such as 304, has no body. */
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const [, length = 0] = /\r\nContent-Length: (\d+)/.exec(text) ?? [];
  return end >= 0 && text.length >= end + 4 + Number(length);
}

/** The value that a share of the numbers does not exceed: 0.5 for the median. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
