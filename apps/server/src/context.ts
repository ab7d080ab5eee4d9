import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { Connections } from './http/connections.ts';
import { OverloadLog } from './http/overload-log.ts';
import { Routes } from './http/routes.ts';
import { type ServedVersion, servedVersions } from './http/versions.ts';
import { KeyRing } from './keys/key-ring.ts';
import type { Loggers } from './observability/loggers.ts';
import { CreateQueue } from './pets/create-queue.ts';

/** The parts that the HTTP server is built from; tests build the same server from other parts. */
export interface Context extends Loggers {
  config: Config;
  database: Database;
  keyRing: KeyRing;
  createQueue: CreateQueue;
  connections: Connections;
  overloadLog: OverloadLog;
  versions: readonly ServedVersion[];
  routes: Routes;
}

/** Creates the parts that follow from the given ones. */
export function createContext(
  given: Loggers & { config: Config; database: Database },
  versions: readonly ServedVersion[] = servedVersions,
): Context {
  const { config, database, logger } = given;
  const overloadLog = new OverloadLog(logger);
  return {
    ...given,
    overloadLog,
    versions,
    routes: new Routes(versions),
    keyRing: new KeyRing(database, config.API_KEYS),
    createQueue: new CreateQueue(database, { maxWaiting: config.MAX_PENDING_CREATIONS }),
    connections: new Connections(overloadLog, { maxConnections: config.MAX_CONNECTIONS }),
  };
}
