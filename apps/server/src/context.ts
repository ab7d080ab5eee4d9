import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { ResponseCache } from './http/cache/response-cache.ts';
import { Connections } from './http/connection/connections.ts';
import { OverloadLog } from './http/connection/overload-log.ts';
import { Routes } from './http/routing/routes.ts';
import { type ServedVersion, servedVersions } from './http/routing/versions.ts';
import { KeyRing } from './keys/key-ring.ts';
import { LastUse } from './keys/last-use.ts';
import type { Loggers } from './observability/log/loggers.ts';
import type { Metrics } from './observability/metrics/metrics.ts';
import type { Tracing } from './observability/tracing/tracing.ts';
import { CreateQueue } from './pets/create-queue.ts';

/** The parts that the HTTP server is built from; tests build the same server from other parts. */
export interface Context extends Loggers {
  config: Config;
  database: Database;
  /** Absent when no listener serves them. */
  metrics?: Metrics | undefined;
  /** Absent when no collector receives spans. */
  tracing?: Tracing | undefined;
  keyRing: KeyRing;
  lastUse: LastUse;
  createQueue: CreateQueue;
  connections: Connections;
  overloadLog: OverloadLog;
  responseCache: ResponseCache;
  versions: readonly ServedVersion[];
  routes: Routes;
}

/** Creates the parts that follow from the given ones. */
export function createContext(
  given: Loggers & Pick<Context, 'config' | 'database' | 'metrics' | 'tracing'>,
  versions: readonly ServedVersion[] = servedVersions,
): Context {
  const { config, database, logger, metrics, tracing } = given;
  const overloadLog = new OverloadLog(logger);
  const lastUse = new LastUse(database);
  return {
    ...given,
    overloadLog,
    responseCache: new ResponseCache(),
    versions,
    routes: new Routes(versions),
    lastUse,
    keyRing: new KeyRing({ database, logger, lastUse }, config.API_KEYS),
    createQueue: new CreateQueue(database, {
      maxWaiting: config.MAX_PENDING_CREATIONS,
      onBatch: metrics && ((size, durationMs) => metrics.observeBatch(size, durationMs)),
      tracing,
    }),
    connections: new Connections(overloadLog, { maxConnections: config.MAX_CONNECTIONS }),
  };
}
