import type { Database } from './database.ts';

/** Runs work within a span of a trace. */
type InSpan = <Result>(
  name: string,
  attributes: Record<string, string>,
  work: () => Result | Promise<Result>,
) => Promise<Result>;

/** As the semantic conventions call the engines. */
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

/** Puts a span around each query of a database. The span of a read includes its wait for a connection. */
export function traceDatabase(database: Database, engine: keyof typeof SYSTEMS, inSpan: InSpan): Database {
  const attributes = { 'db.system.name': SYSTEMS[engine] };
  const traced = <Result>(work: () => Result | Promise<Result>) => inSpan('query', attributes, work);

  return {
    pool: database.pool,
    reads: database.reads,
    standbys: database.standbys,
    read: (query, values) => traced(() => database.read(query, values)),
    query: (query, values) => traced(() => database.query(query, values)),
    append: (additions) => traced(() => database.append(additions)),
    maxConcurrentAppends: database.maxConcurrentAppends,
    transact: (work) =>
      database.transact((transaction) =>
        work({ query: (query, values) => traced(() => transaction.query(query, values)) }),
      ),
    version: () => database.version(),
    probe: () => database.probe(),
    classify: (error) => database.classify(error),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
