import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { temporaryFolder } from '@petstore/test-support/files';
import { longTimeouts, runCli, startServer } from '@petstore/test-support/servers/server-process';
import { Callers, type Options, type Server } from './callers.ts';
import type { Model } from './model.ts';

type TemporaryDatabase = Awaited<ReturnType<typeof temporaryDatabase>>;

const MAX_SERVERS = 3;
/** The delays differ, so that commits can overtake each other. */
const DELAY_COMMITS = `
  create or replace function delay() returns trigger language plpgsql as
    'begin perform pg_sleep(random() / 25); return null; end';
  drop trigger if exists delay on pets;
  create constraint trigger delay after insert on pets deferrable initially deferred
    for each row execute function delay()`;

/** A pet store, as its operator uses it: by SQL, commands and signals. */
export class PetStore implements AsyncDisposable {
  readonly callers = new Callers((number) => this.server(number));
  readonly #cleanup = new AsyncDisposableStack();
  #database: TemporaryDatabase;
  #servers: Server[] = [];
  #backup: { file: string; model: Model } | undefined;
  /** Whether a tool may have removed pets without their idempotency records. A copy refuses these. */
  #hasStaleRecords = false;

  private constructor(database: TemporaryDatabase) {
    this.#database = this.#cleanup.use(database);
  }

  /** Starts a server on an empty database. */
  static async start(engine: Engine): Promise<PetStore> {
    const store = new PetStore(await temporaryDatabase(engine));
    await store.addServer();
    return store;
  }

  get serverCount(): number {
    return this.#servers.length;
  }

  server(number = 0): Server {
    const server = this.#servers[number % this.#servers.length];
    assert(server, 'a server must run');
    return server;
  }

  /** Runs SQL with a tool of the operator. */
  async sql(statement: string, { enforcesForeignKeys = true } = {}): Promise<void> {
    if (!enforcesForeignKeys) this.#hasStaleRecords = true;
    const settings = {
      sqlite: `pragma busy_timeout = 60000; pragma foreign_keys = ${enforcesForeignKeys}`,
      postgres: `set session_replication_role = ${enforcesForeignKeys ? 'origin' : 'replica'}`,
    };
    await this.#database.run(`${settings[this.#engine]}; ${statement}`);
  }

  /** Lets each commit that adds pets take up to 40 milliseconds more. SQLite has no triggers on commits. */
  async delayCommits(): Promise<void> {
    if (this.#engine === 'postgres') await this.sql(DELAY_COMMITS);
  }

  run(...args: string[]) {
    return runCli(args, this.#environment);
  }

  async #expectToRun(...args: string[]): Promise<void> {
    const { code, stderr } = await this.run(...args);
    assert.equal(code, 0, `petstore ${args.join(' ')}: ${stderr}`);
  }

  async addServer(): Promise<void> {
    if (this.#servers.length < MAX_SERVERS) this.#servers.push(await this.#startServer());
  }

  async #startServer(): Promise<Server> {
    const startedAt = performance.now();
    const process = await startServer(this.#environment);
    return { process, startedAt, isEnding: false };
  }

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
    const file = this.#cleanup.use(await temporaryFolder()).file('backup.db');
    const beganAt = ++model.clock;
    await this.#expectToRun('backup', file);
    this.#backup = { file, model: model.asOf(beganAt) };
  }

  /** Restores the last backup, and its model. */
  async restore(model: Model, signal: NodeJS.Signals): Promise<void> {
    if (this.#engine === 'postgres' || this.#backup === undefined) return;
    await this.#stop(signal);
    await this.#expectToRun('restore', '--replace', this.#backup.file);
    await this.#startAgain();
    model.restore(this.#backup.model);
  }

  /** Copies the database to an empty one, of the other engine if it is tested, and goes on there. */
  async copy(signal: NodeJS.Signals): Promise<void> {
    await this.#stop(signal);
    const deleteStale = 'delete from idempotency_records where pet_id not in (select id from pets)';
    if (this.#hasStaleRecords) await this.sql(deleteStale);
    const source = this.#database;
    const engine = engines.find((other) => other !== this.#engine) ?? this.#engine;
    this.#database = this.#cleanup.use(await temporaryDatabase(engine));
    await this.#expectToRun('migrate');
    await this.#expectToRun('copy', '--from', source.url, '--to', this.#database.url);
    await this.#startAgain();
  }

  get #environment() {
    // A busy machine is no outage.
    return { DATABASE_URL: this.#database.url, ...longTimeouts };
  }

  get #engine(): Engine {
    return this.#database.url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop('SIGKILL');
    await this.#cleanup.disposeAsync();
  }
}
