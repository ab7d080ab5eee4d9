import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { Connections } from '../http/connections.ts';
import { limits } from '../http/limits.ts';
import { ListCache } from '../http/middleware/cache-lists.ts';
import { OverloadLog } from '../http/overload-log.ts';
import { createHttpServer, type HttpObserver } from '../http/server.ts';
import { KeyRing } from '../keys/key-ring.ts';
import { CreateQueue } from '../pets/create-queue.ts';
import { listPets } from '../pets/repository.ts';
import type { Config } from '../process/config.ts';
import { maxFileDescriptors } from '../process/file-descriptors.ts';
import { createApp } from './app.ts';
import { createReadiness } from './readiness.ts';
import { methodsOf, servedVersions } from './versions.ts';

interface ServiceOptions {
  config: Config;
  database: Database;
  logger: Logger;
  /** `undefined` without an admin listener. */
  observer?: ServiceObserver | undefined;
}

export interface ServiceObserver extends HttpObserver {
  /** A batch of creations was committed, or has failed. */
  onBatch(size: number, durationMs: number): void;
}

export type Service = ReturnType<typeof createService>;

/** Creates a service on a database. Its server does not listen yet. */
export function createService(
  { config, database, logger, observer }: ServiceOptions,
  versions = servedVersions,
) {
  const overloadLog = new OverloadLog(logger);
  const connections = new Connections(overloadLog, capByDescriptors(config, logger));
  const probe = () => listPets(database.db, { limit: 1 });
  const readiness = createReadiness(() => connections.isStopping, probe, logger);
  const createQueue = new CreateQueue(database, { maxWaiting: config.MAX_PENDING_CREATIONS, observer });
  // Only SQLite tells whether anything was committed since a list was cached.
  const readVersion = database.dataVersion?.bind(database);
  const listCache = readVersion && new ListCache(readVersion);
  const { API_KEYS: fixedKeys, RATE_LIMIT: rateLimit } = config;
  const keys = new KeyRing({ db: database.db, logger, fixedKeys, rateLimit });
  const parts = { config, database, overloadLog, connections, readiness, createQueue, listCache };
  const server = createHttpServer(createApp({ ...parts, keys, logger }, versions), {
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
    logger,
    connections,
    methods: methodsOf(versions),
    observer,
  });
  return { ...parts, server };
}

/** Besides the admin listener, Node.js, SQLite and the log use 33 file descriptors; 48 leave some to spare. */
const OTHER_DESCRIPTORS = limits.adminConnections + 48;

/** Without a free file descriptor, Node.js would close new connections without a response. */
function capByDescriptors({ MAX_CONNECTIONS, DATABASE_POOL_SIZE }: Config, logger: Logger): number {
  const descriptors = maxFileDescriptors();
  const cap = Math.max(1, descriptors - OTHER_DESCRIPTORS - DATABASE_POOL_SIZE);
  if (MAX_CONNECTIONS <= cap) return MAX_CONNECTIONS;
  const limit = { maxConnections: cap, descriptors };
  logger.warn(limit, 'MAX_CONNECTIONS is lowered to the limit of file descriptors');
  return cap;
}
