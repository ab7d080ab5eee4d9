import { statfs } from 'node:fs/promises';
import { errorCodes } from '@petstore/contract';
import { Counter, exponentialBuckets, Gauge, Histogram } from '@prometheus-io/client';
import type { Database } from '../database/database.ts';
import { limits } from '../http/limits.ts';
import type { RequestSummary } from '../http/log-request.ts';
import type { Config } from '../process/config.ts';
import { version } from '../process/version.ts';
import { addProcessMetrics, measureEventLoopDelay } from '../telemetry/process-metrics.ts';
import { addCounter, addGauge, DURATION_BUCKETS } from '../telemetry/read-metrics.ts';
import type { Service, ServiceObserver } from './service.ts';

/** Methods of RFC 9110 and PATCH. Any other method is `_OTHER`, as OpenTelemetry's conventions say. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

export class ServiceMetrics implements ServiceObserver {
  readonly #durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: DURATION_BUCKETS,
  });
  readonly #errors = new Counter({
    name: 'petstore_error_responses_total',
    help: 'Error responses by the code in their body.',
    labelNames: ['code'],
  });
  readonly #keyRequests = new Counter({
    name: 'petstore_key_requests_total',
    help: 'Requests by the name of the API key and the class of their status.',
    labelNames: ['key', 'status'],
  });
  readonly #deprecated = new Counter({
    name: 'petstore_deprecated_requests_total',
    help: 'Requests to deprecated operations by the name of the API key.',
    labelNames: ['http_route', 'key'],
  });
  readonly #batchSizes = new Histogram({
    name: 'petstore_create_batch_size',
    help: 'Creations that share a transaction.',
    // 1 to 512: a batch has at most `MAX_ROWS` creations.
    buckets: exponentialBuckets(1, 2, 10),
  });
  readonly #commitSeconds = new Histogram({
    name: 'petstore_create_commit_duration_seconds',
    help: 'Duration of the transaction of a batch of creations, with its commit and all attempts.',
    buckets: DURATION_BUCKETS,
  });

  constructor() {
    addProcessMetrics();
    measureEventLoopDelay();
    // Each code has a series from the start.
    for (const code of Object.keys(errorCodes)) this.#errors.inc({ code }, 0);
  }

  onRequestEnd(summary: RequestSummary): void {
    const { method, route, status, durationMs, code, key, isDeprecated } = summary;
    const labels = {
      http_request_method: METHODS.has(method) ? method : '_OTHER',
      http_route: route ?? 'unmatched',
      http_response_status_code: status,
    };
    this.#durations.observe(labels, durationMs / 1000);
    if (code !== undefined) this.#errors.inc({ code });
    if (key === undefined) return;
    this.#keyRequests.inc({ key, status: `${Math.trunc(status / 100)}xx` });
    if (isDeprecated && route !== undefined) this.#deprecated.inc({ http_route: route, key });
  }

  onBatch(size: number, durationMs: number): void {
    this.#batchSizes.observe(size);
    this.#commitSeconds.observe(durationMs / 1000);
  }

  /** Adds the metrics of a service. The service is created with this observer, so its parts are not known before. */
  watch(service: Service, log: { readonly droppedCount: number }): void {
    const { config, connections, overloadLog, createQueue, listCache } = service;
    this.#addBuildInfo(config);
    const isReady = async () => Number(await service.readiness.isReady());
    addGauge('petstore_ready', 'Whether the process can serve, the database included: 1 or 0.', isReady);
    if (listCache !== undefined) {
      addCounter('petstore_cache_hits_total', 'Lists from the cache.', () => listCache.hits);
      addCounter('petstore_cache_misses_total', 'Lists that were not in the cache.', () => listCache.misses);
    }
    const droppedHelp = 'Log lines that were dropped because standard output was not read fast enough.';
    addCounter('petstore_log_lines_dropped_total', droppedHelp, () => log.droppedCount);
    addGauge('petstore_connections_open', 'Open connections of callers.', () => connections.openCount);
    const countActive = () => connections.openCount - connections.idle.size;
    addGauge('petstore_connections_active', 'Connections of callers with a request.', countActive);
    const cutHelp = 'Connections that were closed to free memory or to make room for others.';
    addCounter('petstore_cut_connections_total', cutHelp, () => overloadLog.cutCount);
    const outstandingHelp = 'Bytes of waiting requests, request bodies and unread responses.';
    addGauge('petstore_outstanding_bytes', outstandingHelp, () => connections.outstandingBytes);
    const outstandingLimitHelp = 'Outstanding bytes beyond which connections are cut.';
    addGauge('petstore_outstanding_bytes_limit', outstandingLimitHelp, () => limits.outstandingBytes);
    const queueHelp = 'Creations that wait for their transaction.';
    addGauge('petstore_create_queue_length', queueHelp, () => createQueue.waitingCount);
    const queueLimitHelp = 'Creations that may wait; further ones get 503.';
    addGauge('petstore_create_queue_limit', queueLimitHelp, () => config.MAX_PENDING_CREATIONS);
    if (service.database.pool) this.#addPool(service.database.pool);
    if (config.DATABASE_URL.engine === 'sqlite') this.#addDisk(config.DATABASE_URL.file);
  }

  #addBuildInfo({ DATABASE_URL: { engine } }: Config): void {
    const info = new Gauge({
      name: 'petstore_build_info',
      help: 'Always 1, with the versions of the service and of Node.js, and the database engine.',
      labelNames: ['version', 'node_version', 'database'],
    });
    info.set({ version, node_version: process.versions.node, database: engine }, 1);
  }

  #addPool(pool: NonNullable<Database['pool']>): void {
    const gauge = (suffix: string, help: string, read: () => number) =>
      addGauge(`petstore_database_connections_${suffix}`, help, read);
    gauge('used', 'Connections to the database in use.', () => pool.totalCount - pool.idleCount);
    gauge('idle', 'Connections to the database not in use.', () => pool.idleCount);
    gauge('limit', 'Connections to the database, at most.', () => pool.options.max);
    const behindHelp = 'Whether the database has an older timeline than this process has seen: 1 or 0.';
    addGauge('petstore_database_behind', behindHelp, () => Number(pool.isBehind));
  }

  #addDisk(file: string): void {
    const readBytes = async (kind: 'bavail' | 'blocks') => {
      const disk = await statfs(file);
      return disk[kind] * disk.bsize;
    };
    const gauge = (suffix: string, help: string, read: () => Promise<number>) =>
      addGauge(`petstore_database_disk_${suffix}_bytes`, help, read);
    gauge('free', 'Free space of the file system that has the SQLite file.', () => readBytes('bavail'));
    gauge('size', 'Size of the file system that has the SQLite file.', () => readBytes('blocks'));
  }
}
