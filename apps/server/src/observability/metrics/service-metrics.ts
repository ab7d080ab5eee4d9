import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { ConnectionPool } from '../../database/database.ts';
import { limits } from '../../http/limits.ts';
import { isReady } from '../../http/public/health.ts';
import { version } from '../../version.ts';
import { counter, gauge, type Metric } from './metric.ts';

/** The metrics of the parts of the service. */
export function serviceMetrics(context: Context, log: { readonly droppedCount: number }): Metric[] {
  const { config, database, responseCache: cache, connections, overloadLog, createQueue } = context;
  const versions = { version, node_version: process.versions.node, database: config.DATABASE_URL.engine };
  return [
    gauge(
      'petstore_build_info',
      'Always 1, with the versions of the service and of Node.js, and the database engine.',
      () => [{ labels: versions, value: 1 }],
      'max',
    ),
    gauge(
      'petstore_ready',
      'Whether every process can serve, the database included: 1 or 0.',
      async () => Number(await isReady(context)),
      'min',
    ),
    counter('petstore_cache_hits_total', 'Responses from the response cache.', () => cache.hits),
    counter(
      'petstore_cache_misses_total',
      'Reads that the response cache had no valid response for.',
      () => cache.misses,
    ),
    counter(
      'petstore_log_lines_dropped_total',
      'Log lines that were dropped because the log was not read.',
      () => log.droppedCount,
    ),
    gauge('petstore_connections_open', 'Open connections of callers.', () => connections.openCount),
    gauge(
      'petstore_connections_active',
      'Connections of callers with a request.',
      () => connections.openCount - connections.idleCount,
    ),
    counter(
      'petstore_cut_connections_total',
      'Connections that were closed to free memory or to make room for others.',
      () => overloadLog.cutCount,
    ),
    gauge(
      'petstore_outstanding_bytes',
      'Bytes of waiting requests, request bodies and unread responses.',
      () => connections.heldBytes,
    ),
    gauge(
      'petstore_outstanding_bytes_limit',
      'Outstanding bytes beyond which connections are cut.',
      () => limits.heldBytes,
    ),
    gauge(
      'petstore_create_queue_length',
      'Creations that wait for their transaction.',
      () => createQueue.waitingCount,
    ),
    gauge(
      'petstore_create_queue_limit',
      'Creations that may wait; further ones get 503.',
      () => config.MAX_PENDING_CREATIONS,
    ),
    ...(database.pool ? poolMetrics(database.pool) : []),
    ...diskMetrics(config),
  ];
}

function poolMetrics(pool: ConnectionPool): Metric[] {
  const prefix = 'petstore_database_connections';
  return [
    gauge(`${prefix}_used`, 'Connections to the database in use.', () => pool.used),
    gauge(`${prefix}_idle`, 'Connections to the database not in use.', () => pool.idle),
    gauge(`${prefix}_limit`, 'Connections to the database, at most.', () => pool.size),
    gauge(
      `${prefix}_waiting`,
      'Callers that wait for a free connection to the database.',
      () => pool.waiting,
    ),
  ];
}

/** Of the SQLite file, which all processes share. */
function diskMetrics({ DATABASE_URL: database }: Config): Metric[] {
  if (database.engine !== 'sqlite') return [];
  const readBytes = async (kind: 'bavail' | 'blocks') => {
    const disk = await statfs(dirname(database.file));
    return disk[kind] * disk.bsize;
  };
  return [
    gauge(
      'petstore_database_disk_free_bytes',
      'Free space of the file system that has the SQLite file.',
      () => readBytes('bavail'),
      'min',
    ),
    gauge(
      'petstore_database_disk_size_bytes',
      'Size of the file system that has the SQLite file.',
      () => readBytes('blocks'),
      'max',
    ),
  ];
}
