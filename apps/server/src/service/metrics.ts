import { realpath, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodes } from '@petstore/contract';
import { exponentialBuckets, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { ConnectionPool } from '../database/database.ts';
import type { HttpError } from '../http/http-error.ts';
import { limits } from '../http/limits.ts';
import type { RequestSummary } from '../http/log-request.ts';
import type { Config } from '../process/config.ts';
import { version } from '../process/version.ts';
import { addProcessMetrics, measureEventLoopDelay } from '../telemetry/process-metrics.ts';
import { addCounter, addGauge, SECONDS } from '../telemetry/read-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import type { Service, ServiceObserver } from './service.ts';

export class ServiceMetrics implements ServiceObserver {
  readonly registry = new Registry();
  readonly #requests = new RequestMetrics(this.registry, Object.keys(errorCodes));
  readonly #batchSizes = new Histogram({
    name: 'petstore_create_batch_size',
    help: 'Creations that share a transaction.',
    buckets: exponentialBuckets(1, 2, 10),
    registers: [this.registry],
  });
  readonly #commitSeconds = new Histogram({
    name: 'petstore_create_commit_duration_seconds',
    help: 'Duration of the transaction of a batch of creations, with its commit and all attempts.',
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor() {
    addProcessMetrics(this.registry);
    measureEventLoopDelay(this.registry);
  }

  onRequestEnd(summary: RequestSummary): void {
    this.#requests.observe(summary);
  }

  onRefusal(method: string, { code, status }: HttpError): void {
    const unknown = { route: undefined, key: undefined, client: undefined, isDeprecated: false };
    this.#requests.observe({ ...unknown, method, status, error: code, durationMs: 0 });
  }

  onBatch(size: number, durationMs: number): void {
    this.#batchSizes.observe(size);
    this.#commitSeconds.observe(durationMs / 1000);
  }

  watch(service: Service, log: { readonly droppedCount: number }): void {
    const { config, connections, overloadLog, createQueue, listCache } = service;
    const gauge = addGauge.bind(undefined, this.registry);
    const counter = addCounter.bind(undefined, this.registry);
    this.#addBuildInfo(config);
    gauge('petstore_ready', 'Whether the process can serve, the database included: 1 or 0.', async () =>
      Number(await service.readiness.isReady()),
    );
    if (listCache !== undefined) {
      counter('petstore_cache_hits_total', 'Lists from the cache.', () => listCache.hits);
      const misses = 'Lists that were not in the cache.';
      counter('petstore_cache_misses_total', misses, () => listCache.misses);
    }
    counter(
      'petstore_log_lines_dropped_total',
      'Log lines that were dropped because the log was not read.',
      () => log.droppedCount,
    );
    gauge('petstore_connections_open', 'Open connections of callers.', () => connections.openCount);
    gauge(
      'petstore_connections_active',
      'Connections of callers with a request.',
      () => connections.openCount - connections.idle.size,
    );
    counter(
      'petstore_cut_connections_total',
      'Connections that were closed to free memory or to make room for others.',
      () => overloadLog.cutCount,
    );
    gauge(
      'petstore_outstanding_bytes',
      'Bytes of waiting requests, request bodies and unread responses.',
      () => connections.heldBytes,
    );
    gauge(
      'petstore_outstanding_bytes_limit',
      'Outstanding bytes beyond which connections are cut.',
      () => limits.heldBytes,
    );
    gauge(
      'petstore_create_queue_length',
      'Creations that wait for their transaction.',
      () => createQueue.waitingCount,
    );
    gauge(
      'petstore_create_queue_limit',
      'Creations that may wait; further ones get 503.',
      () => config.MAX_PENDING_CREATIONS,
    );
    if (service.database.pool) this.#addPool(service.database.pool);
    if (config.DATABASE_URL.engine === 'sqlite') this.#addDisk(config.DATABASE_URL.file);
  }

  #addBuildInfo({ DATABASE_URL: { engine } }: Config): void {
    const info = new Gauge({
      name: 'petstore_build_info',
      help: 'Always 1, with the versions of the service and of Node.js, and the database engine.',
      labelNames: ['version', 'node_version', 'database'],
      registers: [this.registry],
    });
    info.set({ version, node_version: process.versions.node, database: engine }, 1);
  }

  #addPool(pool: ConnectionPool): void {
    const gauge = (suffix: string, help: string, read: () => number) =>
      addGauge(this.registry, `petstore_database_connections_${suffix}`, help, read);
    gauge('used', 'Connections to the database in use.', () => pool.totalCount - pool.idleCount);
    gauge('idle', 'Connections to the database not in use.', () => pool.idleCount);
    gauge('limit', 'Connections to the database, at most.', () => pool.options.max);
    const behind = 'Whether the database has an older history than this process has seen: 1 or 0.';
    addGauge(this.registry, 'petstore_database_behind', behind, () => Number(pool.isBehind));
  }

  #addDisk(file: string): void {
    const readBytes = async (kind: 'bavail' | 'blocks') => {
      const disk = await statfs(dirname(await realpath(file)));
      return disk[kind] * disk.bsize;
    };
    addGauge(
      this.registry,
      'petstore_database_disk_free_bytes',
      'Free space of the file system that has the SQLite file.',
      () => readBytes('bavail'),
    );
    addGauge(
      this.registry,
      'petstore_database_disk_size_bytes',
      'Size of the file system that has the SQLite file.',
      () => readBytes('blocks'),
    );
  }
}
