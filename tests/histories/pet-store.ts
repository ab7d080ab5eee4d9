import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { NewPet, PetStatus } from '@petstore/contract';
import {
  type Engine,
  engines,
  runPostgres,
  type TemporaryDatabase,
  temporaryDatabase,
} from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import {
  FIXED_KEY,
  runCli,
  type ServerProcess,
  startServer,
} from '@petstore/test-support/servers/server-process';
import type { Model } from './model.ts';

/**
 * Numbers that choose what a command does, such as the `server` and the `caller` of a request, `how` to read, or the
 * milliseconds `for` which a server stalls. A missing number is 0.
 */
export type Options = Readonly<Record<string, number>>;

interface Server {
  process: ServerProcess;
  startedAt: number;
  /** Once the server gets a signal, requests may stay without a response. */
  isEnding: boolean;
}

interface Response {
  status: number;
  headers: Headers;
  text: string;
}

/** A response to a GET, as a client keeps it to revalidate it. */
interface Kept {
  status: number;
  text: string;
  etag: string | null;
  link: string | null;
}

const READS = ['GET', 'If-None-Match', 'HEAD', 'If-Match'] as const;
const MAX_SERVERS = 3;
/** Responses 503 of a history. A stalled disk causes a few. */
const MAX_UNAVAILABLE = 5;

/** The times differ, so that commits can overtake each other. */
const DELAY_COMMITS = `
  create or replace function delay() returns trigger language plpgsql as
    'begin perform pg_sleep(random() / 25); return null; end';
  drop trigger if exists delay on pets;
  create constraint trigger delay after insert on pets deferrable initially deferred
    for each row execute function delay()`;

/** A pet store, as its callers and its operator use it: by HTTP, SQL, commands and signals. */
export class PetStore implements AsyncDisposable {
  readonly #cleanup = new AsyncDisposableStack();
  #database: TemporaryDatabase;
  #servers: Server[] = [];
  #backup: { file: string; model: Model } | undefined;
  /** Whether a tool may have removed pets without their idempotency records. */
  #hasStaleRecords = false;
  /** All keys that were issued. */
  readonly #apiKeys: string[] = [];
  /** The last response to each URL. */
  readonly #kept = new Map<string, Kept>();
  #names = 0;
  #unavailable = 0;

  private constructor(database: TemporaryDatabase) {
    this.#database = this.#cleanup.use(database);
  }

  /** Starts a server on an empty database. */
  static async start(engine: Engine): Promise<PetStore> {
    const store = new PetStore(await temporaryDatabase(engine));
    await store.addServer();
    return store;
  }

  /** A pet with a name that no other pet has. */
  newPet(): NewPet {
    const number = ++this.#names;
    // One pet of each status in turn, then one without.
    const status = PetStatus.options[number % (PetStatus.options.length + 1)];
    return NewPet.parse({ name: `pet-${number}`, categoryId: 1, status });
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

  /**
   * Sends a request with an API key.
   * @returns nothing when the caller gives up or the server cannot serve, so that the outcome is unknown
   */
  async send(
    model: Model,
    { server: number, caller }: Options,
    path: string,
    init: RequestInit = {},
  ): Promise<Response | undefined> {
    const server = this.server(number);
    if (server.isEnding) return undefined;
    const [apiKey, sentAt] = [this.apiKey(caller), performance.now()];
    const headers = { ...init.headers, authorization: `Bearer ${apiKey}` };
    let response: Response;
    try {
      const received = await fetch(server.process.origin + path, { ...init, headers });
      response = { status: received.status, headers: received.headers, text: await received.text() };
    } catch (error) {
      if (server.isEnding || init.signal?.aborted) return undefined;
      throw error;
    }
    const { status, text } = response;
    if (status === 503) this.#unavailable += server.isEnding ? 0 : 1;
    assert(this.#unavailable <= MAX_UNAVAILABLE && status !== 500, `${path}: ${status} ${text}`);
    if (status === 503) return undefined;
    model.judgeKey(apiKey, status !== 401, { startedAt: server.startedAt, sentAt });
    const mayAdd = model.apiKeys.get(apiKey)?.scope === 'write';
    if (init.method === 'POST' && status !== 401) assert.equal(status !== 403, mayAdd, 'the scope of a key');
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
    const response = await this.send(model, options, path, {
      headers,
      method: how === 'HEAD' ? how : 'GET',
    });
    if (response === undefined || response.status === 401) return undefined;
    const { status, text } = response;
    const current = { status, text, etag: response.headers.get('etag'), link: response.headers.get('link') };
    if (status === 404) return current;
    if (status === 412 && how === 'If-Match') return undefined;
    if (status === 304 && how === 'If-None-Match') return kept;
    assert.equal(status, 200, text);
    const isSame = current.etag === kept?.etag;
    if (how === 'HEAD') return isSame ? kept : undefined;
    if (how.startsWith('If')) assert.equal(isSame, how === 'If-Match', `${how} of ${path}`);
    if (isSame) assert.deepEqual(current, kept, `the entity tag of ${path} stayed the same`);
    this.#kept.set(path, current);
    return current;
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
    const enableForeignKeyConstraints = enforcesForeignKeys;
    const options = { enableForeignKeyConstraints, timeout: 60_000 };
    const connection = new DatabaseSync(url.slice('sqlite:'.length), options);
    connection.exec(statement);
    connection.close();
  }

  /** Lets each commit that adds pets take up to 40 milliseconds more. SQLite has no triggers on commits. */
  async delayCommits(): Promise<void> {
    if (this.#engine === 'postgres') await this.sql(DELAY_COMMITS);
  }

  /** Runs a command of the operator. */
  run(...args: string[]) {
    return runCli(args, this.#environment);
  }

  async #expectToRun(...args: string[]): Promise<void> {
    const { code, stderr } = await this.run(...args);
    assert.equal(code, 0, `petstore ${args.join(' ')}: ${stderr}`);
  }

  /** Starts another server on the same database. */
  async addServer(): Promise<void> {
    if (this.#servers.length < MAX_SERVERS) this.#servers.push(await this.#startServer());
  }

  async #startServer(): Promise<Server> {
    const startedAt = performance.now();
    const process = await startServer(this.#environment);
    return { process, startedAt, isEnding: false };
  }

  /** Stops a server, and starts it again. */
  async restart(number: number | undefined, signal: NodeJS.Signals): Promise<void> {
    const server = this.server(number);
    if (server.isEnding) return;
    server.isEnding = true;
    await server.process.stop(signal);
    this.#servers[this.#servers.indexOf(server)] = await this.#startServer();
  }

  /** Stops a server's process for some milliseconds (SIGSTOP). */
  async stall(options: Options): Promise<void> {
    const { child } = this.server(options.server).process;
    child.kill('SIGSTOP');
    await sleep(options.for);
    child.kill('SIGCONT');
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    await Promise.all(this.#servers.map(({ process }) => process.stop(signal)));
  }

  /** Starts as many servers as were stopped. */
  async #startAgain(): Promise<void> {
    this.#servers = await Promise.all(this.#servers.map(() => this.#startServer()));
  }

  /** Makes a backup, if the engine has this command. */
  async backUp(model: Model): Promise<void> {
    if (this.#engine === 'postgres') return;
    const folder = this.#cleanup.use(await temporaryFolder());
    const file = folder.file('backup.db');
    const since = ++model.clock;
    await this.#expectToRun('backup', file);
    this.#backup = { file, model: model.asOf(since) };
  }

  /** Replaces the database by the last backup, and the model by that of the same time. */
  async restore(model: Model, signal: NodeJS.Signals): Promise<void> {
    if (this.#engine === 'postgres' || this.#backup === undefined) return;
    await this.#stop(signal);
    await this.#expectToRun('restore', '--replace', this.#backup.file);
    await this.#startAgain();
    Object.assign(model, this.#backup.model.asOf(Infinity));
  }

  /** Copies the database to an empty one, of the other engine if it is tested, and goes on there. */
  async copy(signal: NodeJS.Signals): Promise<void> {
    await this.#stop(signal);
    const stale = 'delete from idempotency_records where pet_id not in (select id from pets)';
    if (this.#hasStaleRecords) await this.sql(stale);
    const source = this.#database;
    const engine = engines.find((other) => other !== this.#engine) ?? this.#engine;
    this.#database = this.#cleanup.use(await temporaryDatabase(engine));
    await this.#expectToRun('migrate');
    await this.#expectToRun('copy', '--from', source.url, '--to', this.#database.url);
    await this.#startAgain();
  }

  get #environment() {
    // A busy machine is no outage.
    return {
      DATABASE_URL: this.#database.url,
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      DATABASE_CONNECT_TIMEOUT_MS: '60000',
      MAX_QUEUE_DELAY_MS: '60000',
    };
  }

  get #engine(): Engine {
    return this.#database.url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop('SIGKILL');
    await this.#cleanup.disposeAsync();
  }
}
