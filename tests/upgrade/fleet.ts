import { type ServerProcess, startServer } from '@petstore/test-support/servers/server-process';

interface Member {
  server: ServerProcess;
  /** Requests in progress. */
  count: number;
  /** Called when there are none. */
  onIdle: (() => void) | undefined;
}

export interface FleetResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Servers on one database that take requests in turn, as behind a load balancer. */
export class Fleet implements AsyncDisposable {
  readonly #environment: Record<string, string>;
  readonly #members: Member[] = [];
  #next = 0;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  /** Starts one more server of a release. It takes requests once it is ready. */
  async add(cli: string): Promise<void> {
    const server = await startServer(this.#environment, { cli, log: 'silent' });
    this.#members.push({ server, count: 0, onIdle: undefined });
  }

  /** Gives the oldest server no more requests, and stops it once it has responded to the last. */
  async removeOldest(): Promise<void> {
    const member = this.#members.shift();
    if (member === undefined) throw new Error('There is no server');
    if (member.count > 0)
      await new Promise<void>((resolve) => {
        member.onIdle = resolve;
      });
    const { code } = await member.server.stop();
    if (code !== 0) throw new Error(`A server ended with ${code}: ${member.server.output()}`);
  }

  /** Sends a request to the next server. */
  async send(target: string, init: RequestInit): Promise<FleetResponse> {
    this.#next += 1;
    const member = this.#members[this.#next % this.#members.length];
    if (member === undefined) throw new Error('There is no server');
    member.count += 1;
    try {
      const response = await fetch(member.server.origin + target, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    } finally {
      member.count -= 1;
      if (member.count === 0) member.onIdle?.();
    }
  }

  async [Symbol.asyncDispose]() {
    for (const { server } of this.#members) await server[Symbol.asyncDispose]();
  }
}
