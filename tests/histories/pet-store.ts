import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { NewPet, PetStatus } from '@petstore/contract';
import {
  type Engine,
  engines,
  runPostgres,
  type TemporaryDatabase,
  temporaryDatabase,
} from '@petstore/test-support/databases/databases';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-support/files';
import {
  FIXED_KEY,
  runCli,
  type ServerProcess,
  startServer,
} from '@petstore/test-support/servers/server-process';
import type { Model } from './model.ts';

/** Numbers that choose among what there is, such as the servers. A missing number is 0. */
export type Options = Readonly<Record<string, number>>;

interface Response {
  status: number;
  headers: Headers;
  text: string;
}

interface Server {
  process: ServerProcess;
  startedAt: number;
  /** Once the server gets a signal, requests may stay without a response. */
  isEnding: boolean;
}

/** A response to a GET, kept to revalidate it. */
interface Kept {
  status: number;
  etag: string;
  text: string;
  link: string | undefined;
}

const READS = ['GET', 'If-None-Match', 'HEAD', 'If-Match'] as const;

const MAX_SERVERS = 3;

/** A deployed pet store, as its callers and its operator use it: by HTTP, commands, SQL and signals. */
export class PetStore implements AsyncDisposable {
  #engine: Engine;
  /** The keys that were issued, oldest first. */
  readonly #apiKeys: string[] = [];
  #backup: { file: string; model: Model } | undefined;
  #servers: Server[] = [];
  /** The last response to each URL. */
  readonly #kept = new Map<string, Kept>();
  #database: TemporaryDatabase;
  #names = 0;
  /** Whether pets may have been removed without their idempotency records. */
  #hasStaleRecords = false;
  readonly #folder: TemporaryFolder;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    engine: Engine,
    database: TemporaryDatabase,
    folder: TemporaryFolder,
    cleanup: AsyncDisposableStack,
  ) {
    this.#engine = engine;
    this.#database = database;
    this.#folder = folder;
    this.#cleanup = cleanup;
  }

  /** Starts a server on an empty database. */
  static async start(engine: Engine): Promise<PetStore> {
    const cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(await temporaryFolder());
    const store = new PetStore(engine, cleanup.use(await temporaryDatabase(engine)), folder, cleanup);
    cleanup.defer(() => store.#stop('SIGKILL'));
    await store.addServer();
    return store;
  }

  /** A pet with a name that no other pet has. */
  newPet(): NewPet {
    const number = ++this.#names;
    return NewPet.parse({ name: `pet-${number}`, categoryId: number, status: PetStatus.options[number % 4] });
  }

  /** @param number 0 is the key of the configuration, 1 the newest issued key */
  apiKey(number = 0): string {
    return (number === 0 ? undefined : this.#apiKeys.at(-number)) ?? FIXED_KEY;
  }

  /** Keeps an issued key, so that callers use it. */
  keep(apiKey: string): string {
    this.#apiKeys.push(apiKey);
    return apiKey;
  }

  get serverCount(): number {
    return this.#servers.length;
  }

  server(number = 0): Server {
    const server = this.#servers[number % this.#servers.length];
    assert(server, 'a server must run');
    return server;
  }

  async addServer(): Promise<void> {
    if (this.#servers.length < MAX_SERVERS) this.#servers.push(await this.#startServer());
  }

  /**
   * Sends a request with an API key.
   * @returns nothing when the server ends, or when the caller gives up
   */
  async send(
    model: Model,
    { server: number, caller }: Options,
    path: string,
    init: RequestInit = {},
  ): Promise<Response | undefined> {
    const server = this.server(number);
    if (server.isEnding) return undefined;
    const apiKey = this.apiKey(caller);
    const sentAt = performance.now();
    const headers = { ...init.headers, authorization: `Bearer ${apiKey}` };
    const response = await fetch(server.process.origin + path, { ...init, headers })
      .then(async (received) => ({
        status: received.status,
        headers: received.headers,
        text: await received.text(),
      }))
      .catch((error: unknown) => {
        if (!server.isEnding && !init.signal?.aborted) throw error;
      });
    if (response === undefined || (response.status === 503 && server.isEnding)) return undefined;
    const { status, text } = response;
    assert(status < 500, `${path}: ${text}`);
    model.judgeKey(apiKey, status !== 401, { startedAt: server.startedAt, sentAt });
    const mayAdd = model.apiKeys.get(apiKey)?.scope === 'write';
    if (init.method === 'POST' && status !== 401)
      assert.equal(status !== 403, mayAdd, `the scope of a key: ${text}`);
    return response;
  }

  /**
   * Reads a URL, after the first time also by a conditional request or HEAD.
   * @returns nothing when the response does not tell the content
   */
  async read(model: Model, options: Options, path: string): Promise<Kept | undefined> {
    const kept = this.#kept.get(path);
    const how = READS[kept ? (options.how ?? 0) : 0] ?? 'GET';
    const headers: Record<string, string> = how.startsWith('If') ? { [how]: kept?.etag ?? '' } : {};
    const response = await this.send(model, options, path, { headers, method: how === 'HEAD' ? how : 'GET' });
    if (response === undefined || response.status === 401) return undefined;
    const { status, text } = response;
    if (status === 404) return { status, text, etag: '', link: undefined };
    if (status === 412 && how === 'If-Match') return undefined;
    if (status === 304 && how === 'If-None-Match') return kept;
    assert.equal(status, 200, text);
    const current = {
      status,
      etag: response.headers.get('etag') ?? '',
      text,
      link: response.headers.get('link') ?? undefined,
    };
    const isSame = current.etag === kept?.etag;
    if (how === 'HEAD') return isSame ? kept : undefined;
    if (how.startsWith('If')) assert.equal(isSame, how === 'If-Match', `${how} of ${path}`);
    if (isSame) assert.deepEqual(current, kept, `the entity tag of ${path} stayed the same`);
    this.#kept.set(path, current);
    return current;
  }

  /** Stops a server, and starts it again. */
  async restart(number: number | undefined, signal: NodeJS.Signals): Promise<void> {
    const server = this.server(number);
    if (server.isEnding) return;
    server.isEnding = true;
    await server.process.stop(signal);
    this.#servers[this.#servers.indexOf(server)] = await this.#startServer();
  }

  /** Runs SQL with a tool of the operator. */
  async sql(statement: string, { enforcesForeignKeys = true } = {}): Promise<void> {
    if (!enforcesForeignKeys) this.#hasStaleRecords = true;
    const { url } = this.#database;
    if (this.#engine === 'postgres') {
      const settings = enforcesForeignKeys ? '' : 'set session_replication_role = replica; ';
      return runPostgres(url, settings + statement);
    }
    // The servers are other processes, whose locks a connection in this process does not release.
    const connection = new DatabaseSync(url.slice('sqlite:'.length), {
      enableForeignKeyConstraints: enforcesForeignKeys,
      timeout: 60_000,
    });
    connection.exec(statement);
    connection.close();
  }

  /** Runs a command of the operator. */
  run(...args: string[]) {
    return runCli(args, { DATABASE_URL: this.#database.url });
  }

  /** Makes a backup, if the engine is SQLite. @param model what is known at this time */
  async backUp(model: Model): Promise<void> {
    if (this.#engine !== 'sqlite') return;
    const file = this.#folder.file(`${performance.now()}.db`);
    await this.#expectToRun('backup', file);
    this.#backup = { file, model };
  }

  /** Replaces the database by the last backup, if there is one. @returns what was known then */
  async restore(signal: NodeJS.Signals): Promise<Model | undefined> {
    if (this.#engine !== 'sqlite' || this.#backup === undefined) return undefined;
    await this.#stop(signal);
    await this.#expectToRun('restore', '--replace', this.#backup.file);
    await this.#startAgain();
    return this.#backup.model.copy();
  }

  /** Moves to an empty database, of the other engine if it is tested. */
  async copy(signal: NodeJS.Signals): Promise<void> {
    await this.#stop(signal);
    const stale = 'delete from idempotency_records where pet_id not in (select id from pets)';
    if (this.#hasStaleRecords) await this.sql(stale);
    const source = this.#database;
    this.#engine = engines.find((engine) => engine !== this.#engine) ?? this.#engine;
    this.#database = this.#cleanup.use(await temporaryDatabase(this.#engine));
    await this.#expectToRun('migrate');
    await this.#expectToRun('copy', '--from', source.url, '--to', this.#database.url);
    await this.#startAgain();
  }

  async #expectToRun(...args: string[]): Promise<void> {
    const { code, stderr } = await this.run(...args);
    assert.equal(code, 0, `petstore ${args.join(' ')}: ${stderr}`);
  }

  async #startServer(): Promise<Server> {
    const startedAt = performance.now();
    const process = await startServer({
      DATABASE_URL: this.#database.url,
      // A busy machine is no outage.
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      DATABASE_CONNECT_TIMEOUT_MS: '60000',
    });
    return { process, startedAt, isEnding: false };
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    await Promise.all(this.#servers.map(({ process }) => process.stop(signal)));
  }

  /** Starts as many servers as were stopped. */
  async #startAgain(): Promise<void> {
    this.#servers = await Promise.all(this.#servers.map(() => this.#startServer()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup[Symbol.asyncDispose]();
  }
}
