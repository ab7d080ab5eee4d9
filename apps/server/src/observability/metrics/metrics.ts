import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ErrorCode, errorCodes } from '@petstore/contract';
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { ConnectionPool } from '../../database/database.ts';
import { limits } from '../../http/limits.ts';
import { isReady } from '../../http/public/health.ts';
import { version } from '../../version.ts';
import type { RequestSummary } from '../request-summary.ts';
import { DeprecatedUse } from './deprecated-use.ts';
import { addEventLoopDelay } from './event-loop-delay.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { addCounter, addGauge } from './read-metrics.ts';
import { RequestDurations } from './request-durations.ts';
import { ProcessSnapshot } from './snapshot.ts';

/**
 * The metrics of this process. What happens often is counted in plain numbers, here or in the part where it happens,
 * and read when the metrics are: a request pays for one histogram.
 */
export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #durations = new RequestDurations();
  readonly #errors = new Map<string, number>(Object.keys(errorCodes).map((code) => [code, 0]));
  readonly #deprecated = new DeprecatedUse();
  readonly #batchSizes: Histogram;
  readonly #commitDurations: Histogram;
  readonly #eventLoopDelay: Disposable;

  constructor() {
    const registers = [this.#registry];
    this.#batchSizes = new Histogram({
      name: 'petstore_create_batch_size',
      help: 'Creations that share a transaction.',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    });
    this.#commitDurations = new Histogram({
      name: 'petstore_create_commit_duration_seconds',
      help: 'How long the transaction of a batch of creations takes, with its commit and its attempts.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
    this.#addCounts();
    addProcessMetrics(this.#registry);
    this.#eventLoopDelay = addEventLoopDelay(this.#registry);
  }

  /** Counts a request that has ended, whichever way. */
  observeRequest({ method, route, status, durationMs, error, isDeprecated, key }: RequestSummary): void {
    this.#durations.observe(method, route, status, durationMs);
    if (error !== undefined) this.#countError(error);
    if (isDeprecated && route !== undefined && key !== undefined) this.#deprecated.count(route, key);
  }

  /** Counts what was refused before it became a request, and had no time to take. */
  observeRefusal(method: string, { code, status }: { code: ErrorCode; status: number }): void {
    this.#durations.observe(method, undefined, status, 0);
    this.#countError(code);
  }

  /** Counts a batch of creations that was committed or has failed. */
  observeBatch(size: number, durationMs: number): void {
    this.#batchSizes.observe(size);
    this.#commitDurations.observe(durationMs / 1000);
  }

  /** Adds what the parts of the service tell of themselves when they are asked. */
  watch(context: Context, log: { readonly droppedCount: number }): void {
    this.#addBuildInfo(context.config);
    this.#addCacheAndLog(context, log);
    this.#addConnections(context);
    this.#addCreateQueue(context);
    const { config, database } = context;
    addGauge(
      this.#registry,
      {
        name: 'petstore_ready',
        help: 'Whether every process can serve, the database included: 1 or 0.',
        aggregator: 'min',
      },
      async () => Number(await isReady(context)),
    );
    if (database.pool !== undefined) this.#addPool(database.pool);
    if (config.DATABASE_URL.engine === 'sqlite') this.#addDisk(dirname(config.DATABASE_URL.file));
  }

  /** The values of all metrics now. */
  async snapshot(): Promise<ProcessSnapshot> {
    const metrics = await this.#registry.getMetricsAsJSON();
    return [this.#durations.snapshot(), ...ProcessSnapshot.parse(metrics)];
  }

  [Symbol.dispose](): void {
    this.#eventLoopDelay[Symbol.dispose]();
  }

  #countError(code: ErrorCode): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }

  #addCounts(): void {
    const registers = [this.#registry];
    const errors = this.#errors;
    const deprecated = this.#deprecated;
    new Counter({
      name: 'petstore_error_responses_total',
      help: 'Error responses by the code in their body; overloaded requests were shed.',
      labelNames: ['code'],
      registers,
      collect() {
        this.reset();
        for (const [code, count] of errors) this.inc({ code }, count);
      },
    });
    new Counter({
      name: 'petstore_deprecated_requests_total',
      help: 'Requests to deprecated operations by the name of the API key.',
      labelNames: ['http_route', 'key'],
      registers,
      collect() {
        this.reset();
        for (const { route, key, count } of deprecated.read()) this.inc({ http_route: route, key }, count);
      },
    });
  }

  #addBuildInfo({ DATABASE_URL: { engine } }: Pick<Config, 'DATABASE_URL'>): void {
    new Gauge({
      name: 'petstore_build_info',
      help: 'Always 1, with the versions of the service and of Node.js, and the database engine.',
      labelNames: ['version', 'node_version', 'database'],
      registers: [this.#registry],
      aggregator: 'max',
    }).set({ version, node_version: process.versions.node, database: engine }, 1);
  }

  #addCacheAndLog({ responseCache }: Context, log: { readonly droppedCount: number }): void {
    const registry = this.#registry;
    addCounter(
      registry,
      { name: 'petstore_cache_hits_total', help: 'Responses from the response cache.' },
      () => responseCache.hits,
    );
    addCounter(
      registry,
      {
        name: 'petstore_cache_misses_total',
        help: 'Reads that the response cache had no valid response for.',
      },
      () => responseCache.misses,
    );
    addCounter(
      registry,
      {
        name: 'petstore_log_lines_dropped_total',
        help: 'Log lines that were dropped because the log was not read.',
      },
      () => log.droppedCount,
    );
  }

  #addConnections({ connections, overloadLog }: Context): void {
    const registry = this.#registry;
    addGauge(
      registry,
      { name: 'petstore_connections_open', help: 'Open connections of callers.' },
      () => connections.openCount,
    );
    addGauge(
      registry,
      { name: 'petstore_connections_active', help: 'Connections of callers with a request.' },
      () => connections.openCount - connections.idleCount,
    );
    addCounter(
      registry,
      {
        name: 'petstore_cut_connections_total',
        help: 'Connections that were closed to free memory or to make room for others.',
      },
      () => overloadLog.cutCount,
    );
    addGauge(
      registry,
      {
        name: 'petstore_outstanding_bytes',
        help: 'Bytes of waiting requests, request bodies and unread responses.',
      },
      () => connections.heldBytes,
    );
    addGauge(
      registry,
      {
        name: 'petstore_outstanding_bytes_limit',
        help: 'Outstanding bytes beyond which connections are cut.',
      },
      () => limits.heldBytes,
    );
  }

  #addCreateQueue({ config, createQueue }: Context): void {
    const registry = this.#registry;
    addGauge(
      registry,
      { name: 'petstore_create_queue_length', help: 'Creations that wait for their transaction.' },
      () => createQueue.waitingCount,
    );
    addGauge(
      registry,
      { name: 'petstore_create_queue_limit', help: 'Creations that may wait; further ones get 503.' },
      () => config.MAX_PENDING_CREATIONS,
    );
  }

  #addPool(pool: ConnectionPool): void {
    const registry = this.#registry;
    const prefix = 'petstore_database_connections';
    addGauge(
      registry,
      { name: `${prefix}_used`, help: 'Connections to the database in use.' },
      () => pool.used,
    );
    addGauge(
      registry,
      { name: `${prefix}_idle`, help: 'Connections to the database not in use.' },
      () => pool.idle,
    );
    addGauge(
      registry,
      { name: `${prefix}_limit`, help: 'Connections to the database, at most.' },
      () => pool.size,
    );
    addGauge(
      registry,
      { name: `${prefix}_waiting`, help: 'Callers that wait for a free connection to the database.' },
      () => pool.waiting,
    );
  }

  /** All processes have the same file. */
  #addDisk(folder: string): void {
    addGauge(
      this.#registry,
      {
        name: 'petstore_database_disk_free_bytes',
        help: 'Free space of the file system that has the SQLite file.',
        aggregator: 'min',
      },
      async () => {
        const { bavail, bsize } = await statfs(folder);
        return bavail * bsize;
      },
    );
    addGauge(
      this.#registry,
      {
        name: 'petstore_database_disk_size_bytes',
        help: 'Size of the file system that has the SQLite file.',
        aggregator: 'max',
      },
      async () => {
        const { blocks, bsize } = await statfs(folder);
        return blocks * bsize;
      },
    );
  }
}
