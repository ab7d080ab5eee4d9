import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { Connections } from '../http/connections.ts';
import { ListCache } from '../http/middleware/cache-lists.ts';
import { OverloadLog } from '../http/overload-log.ts';
import { createHttpServer, type HttpObserver } from '../http/server.ts';
import { KeyRing } from '../keys/key-ring.ts';
import { CreateQueue } from '../pets/create-queue.ts';
import { listPets } from '../pets/repository.ts';
import type { Config } from '../process/config.ts';
import { maxFileDescriptors } from '../process/file-descriptors.ts';
import { MAX_ADMIN_CONNECTIONS } from './admin-listener.ts';
import { createApp } from './app.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { methodsOf, servedVersions } from './versions.ts';

interface ServiceParts {
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

export class Service {
  readonly config: Config;
  readonly database: Database;
  readonly overloadLog: OverloadLog;
  readonly connections: Connections;
  readonly readiness: Readiness;
  readonly createQueue: CreateQueue;
  readonly listCache: ListCache | undefined;
  readonly app: Express;
  readonly server: Server;

  constructor({ config, database, logger, observer }: ServiceParts, versions = servedVersions) {
    this.config = config;
    this.database = database;
    this.overloadLog = new OverloadLog(logger);
    this.connections = new Connections(this.overloadLog, capByDescriptors(config, logger));
    const probe = () => listPets(database.db, { limit: 1 });
    this.readiness = createReadiness(() => this.connections.isStopping, probe);
    this.createQueue = new CreateQueue(database, { maxWaiting: config.MAX_PENDING_CREATIONS, observer });
    // Only SQLite reports a version of its data: without one, a cached list could be out of date.
    const readVersion = database.dataVersion?.bind(database);
    if (readVersion !== undefined) this.listCache = new ListCache(readVersion);
    const { API_KEYS: fixedKeys, RATE_LIMIT: rateLimit } = config;
    const keys = new KeyRing({ db: database.db, logger, fixedKeys, rateLimit });
    this.app = createApp({ ...this, keys, logger }, versions);
    this.server = createHttpServer(this.app, {
      keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
      logger,
      connections: this.connections,
      methods: methodsOf(versions),
      observer,
    });
  }
}

/** Besides the admin listener, Node.js, SQLite and the log use 33 file descriptors. Some are to spare. */
const OTHER_DESCRIPTORS = MAX_ADMIN_CONNECTIONS + 48;

/** Without a free file descriptor, Node.js would close new connections without a response. */
function capByDescriptors({ MAX_CONNECTIONS, DATABASE_POOL_SIZE }: Config, logger: Logger): number {
  const descriptors = maxFileDescriptors();
  const cap = Math.max(1, descriptors - OTHER_DESCRIPTORS - DATABASE_POOL_SIZE);
  if (MAX_CONNECTIONS <= cap) return MAX_CONNECTIONS;
  logger.warn(
    { maxConnections: cap, descriptors },
    'MAX_CONNECTIONS is lowered to the limit of file descriptors',
  );
  return cap;
}
