import { findFreePort } from '@petstore/test-support/servers/free-port';
import { runCli } from '@petstore/test-support/servers/server-process';
import { onSameCores } from '../cores.ts';
import { OURS } from '../peers.ts';
import { type RunningServer, startServer } from '../start-server.ts';

/** Our server, as processes that come and go at one address. */
export class ServerUnderTest implements AsyncDisposable {
  readonly port: number;
  readonly adminPort: number;
  readonly #log: string;
  readonly #databaseUrl: string;
  #running: RunningServer | undefined;

  private constructor(port: number, adminPort: number, log: string, databaseUrl: string) {
    this.port = port;
    this.adminPort = adminPort;
    this.#log = log;
    this.#databaseUrl = databaseUrl;
  }

  /** @param log the path of its log, without `.log` */
  static async start(log: string, databaseUrl: string): Promise<ServerUnderTest> {
    const server = new ServerUnderTest(await findFreePort(), await findFreePort(), log, databaseUrl);
    await server.start();
    return server;
  }

  /** That of the present process, if there is one. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  async start(): Promise<void> {
    this.#running = await startServer(
      OURS,
      this.#log,
      {
        PORT: `${this.port}`,
        ADMIN_PORT: `${this.adminPort}`,
        DATABASE_URL: this.#databaseUrl,
        NODE_ENV: 'production',
      },
      onSameCores,
    );
  }

  /** As an operator does: requests in progress get their responses. */
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** As a crash does. */
  async kill(): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
    this.#running = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/**
 * Runs a `petstore` command on a database.
 *
 * @returns its standard output
 * @throws Error when it fails
 */
export async function petstore(databaseUrl: string, ...arguments_: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(arguments_, { DATABASE_URL: databaseUrl });
  if (code !== 0) throw new Error(`petstore ${arguments_.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}
