import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { inject } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../files.ts';
import { runPostgres } from './postgres-client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which tests create their databases. */
    postgresUrl: string;
  }
}

const { DATABASES = 'sqlite,postgres' } = process.env;

/** The database engines that tests run on: both, or those in the variable DATABASES. */
export const engines = z.array(z.enum(['sqlite', 'postgres'])).parse(DATABASES.split(','));
export type Engine = (typeof engines)[number];

/** Creates an empty database for one test. Disposing removes it. */
export async function temporaryDatabase(engine: Engine, { encoding = 'UTF8' } = {}) {
  if (engine === 'sqlite') {
    const folder = await temporaryFolder();
    const file = folder.file('petstore.db');
    return {
      url: `sqlite:${file}`,
      dump: async () => readdirSync(folder.path).map((name) => readFileSync(folder.file(name), 'latin1')),
      /** Runs a statement, as another program may while a server uses the database. */
      run: async (statement: string) => runSqlite(file, statement),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  }
  const name = `petstore_${randomBytes(8).toString('hex')}`;
  const server = inject('postgresUrl');
  await runPostgres(server, `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    url,
    dump: async () => (await runPostgres(url, DUMP)).map(({ text }) => String(text)),
    run: (statement: string) => runPostgres(url, statement),
    async [Symbol.asyncDispose]() {
      await runPostgres(server, `drop database ${name} with (force)`);
    },
  };
}

/**
 * Runs a statement on a SQLite file, with the copy of SQLite that a server in this process uses. A second copy would
 * share the locks of the server's copy, and remove the log that the server uses.
 */
export function runSqlite(file: string, statement: string): void {
  using stack = new DisposableStack();
  stack.adopt(new BetterSqlite3(file), (connection) => connection.close()).exec(statement);
}

/** Counts the pets of a SQLite file. @throws Error when the file is damaged */
export function countPets(file: string): unknown {
  const connection = new BetterSqlite3(file, { readonly: true });
  const integrity = connection.pragma('integrity_check', { simple: true });
  const count = connection.prepare('select count(*) from pets').pluck().get();
  connection.close();
  if (integrity !== 'ok') throw new Error(`${file} is damaged: ${integrity}`);
  return count;
}

/** SQL that returns each table of PostgreSQL as XML. */
const DUMP = `select query_to_xml('select * from ' || table_name, true, true, '')::text as text
  from information_schema.tables where table_schema = 'public'`;

/** SQL that limits the transactions of later sessions to 15 minutes, on PostgreSQL 17 or newer. */
export const LIMIT_TRANSACTIONS = `do $$ begin execute coalesce((
  select format('alter database %I set transaction_timeout = 900000', current_database())
  from pg_settings where name = 'transaction_timeout'), 'select'); end $$`;

/** SQL for a trigger that stores the settings of each transaction that adds a pet, in `transaction_settings`. */
export const SETTINGS_TRIGGER = `
  create table transaction_settings (synchronous_commit text, search_path text, jit text, enable_seqscan text,
    isolation text, idle_timeout text, statement_timeout text, transaction_timeout text);
  create function store_settings() returns trigger language plpgsql as $$
  begin
    insert into public.transaction_settings values (current_setting('synchronous_commit'),
      current_setting('search_path'), current_setting('jit'), current_setting('enable_seqscan'),
      current_setting('transaction_isolation'), current_setting('idle_in_transaction_session_timeout'),
      current_setting('statement_timeout'), coalesce(current_setting('transaction_timeout', true), '0'));
    return new; end $$;
  create trigger store_settings after insert on pets for each row execute function store_settings()`;
