import type { Server } from 'node:http';
import { responseHeaders, sizeLimits } from '@petstore/contract';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { docsRoutes } from './docs/docs-page.ts';
import { openApiRoutes } from './docs/openapi.ts';
import { Connections } from './http/connection/connections.ts';
import { OverloadLog } from './http/connection/overload-log.ts';
import { createErrorResponses } from './http/pipeline/error-responses.ts';
import { createPipeline } from './http/pipeline/pipeline.ts';
import { Readiness } from './http/pipeline/readiness.ts';
import type { RequestSummary } from './http/pipeline/request-summary.ts';
import { Routes } from './http/pipeline/routes.ts';
import type { Step } from './http/pipeline/step.ts';
import { HttpError } from './http/responses/http-error.ts';
import { createHttpServer } from './http/server.ts';
import { allowOrigins } from './http/steps/allow-origins.ts';
import { authenticate, requireScope } from './http/steps/authenticate.ts';
import { checkProtocol } from './http/steps/check-protocol.ts';
import { limitRate } from './http/steps/limit-rate.ts';
import { refuseUnknownRoutes } from './http/steps/refuse-unknown-routes.ts';
import {
  healthRoutes,
  isProbe,
  type PublicRoute,
  servePublicRoutes,
} from './http/steps/serve-public-routes.ts';
import { shedLoad } from './http/steps/shed-load.ts';
import { KeyRing } from './keys/key-ring.ts';
import { LastUse } from './keys/last-use.ts';
import { CreateQueue } from './pets/create-queue.ts';
import type { Loggers } from './telemetry/log/loggers.ts';
import { routeToHandlers } from './v1/router.ts';
import { operationsOf, type ServedVersion, servedVersions } from './v1/served-versions.ts';
import { classifyRouterError } from './v1/validation-error.ts';

/** What the service is made from. */
interface ServiceParts extends Loggers {
  config: Config;
  database: Database;
  /** Counts what happens, where metrics are read. */
  observer?: ServiceObserver | undefined;
}

/** Hears what the service does. */
export interface ServiceObserver {
  onRequestEnd(summary: RequestSummary): void;
  /** Something was refused that did not become a request. */
  onRefusal(method: string, error: HttpError): void;
  /** A batch of creations was committed or has failed. */
  onBatch(size: number, durationMs: number): void;
}

/** The service, joined from its parts: the only file that knows all of them. */
export class Service {
  readonly config: Config;
  readonly database: Database;
  readonly overloadLog: OverloadLog;
  readonly connections: Connections;
  readonly readiness: Readiness;
  readonly lastUse: LastUse;
  readonly createQueue: CreateQueue;
  readonly server: Server;
  /** What every request passes, in this order. */
  readonly steps: Step[];
  readonly #parts: ServiceParts;
  readonly #keyRing: KeyRing;
  readonly #routes: Routes;
  readonly #versions: readonly ServedVersion[];

  constructor(parts: ServiceParts, versions: readonly ServedVersion[] = servedVersions) {
    const { config, database, logger, observer } = parts;
    this.config = config;
    this.database = database;
    this.#parts = parts;
    this.#versions = versions;
    this.overloadLog = new OverloadLog(logger);
    this.connections = new Connections(this.overloadLog, config.MAX_CONNECTIONS);
    this.readiness = new Readiness({
      isStopping: () => this.connections.isStopping,
      probe: () => database.probe(),
    });
    this.lastUse = new LastUse(database);
    this.#keyRing = new KeyRing(
      { database, logger, lastUse: this.lastUse },
      { fixedKeys: config.API_KEYS, rateLimit: config.RATE_LIMIT },
    );
    this.createQueue = new CreateQueue(database, {
      maxWaiting: config.MAX_PENDING_CREATIONS,
      onBatch: observer && ((size, durationMs) => observer.onBatch(size, durationMs)),
    });
    this.#routes = new Routes(
      versions.flatMap(({ version }) => operationsOf(version, config.PUBLIC_BASE_URL)),
    );
    this.steps = this.#createSteps();
    this.server = this.#createServer();
  }

  /**
   * The rules of the service. The first only adds headers, so that refusals carry them as well; everything without a
   * key comes before authentication; a cached response is given only to callers who may read the pet, and counts like
   * any other.
   */
  #createSteps(): Step[] {
    const { config, database, createQueue } = this;
    const { PUBLIC_BASE_URL } = config;
    return [
      allowOrigins({
        origins: config.CORS_ORIGINS,
        methods: this.#routes.methods,
        requestHeaders: REQUEST_HEADERS,
        responseHeaders: Object.keys(responseHeaders),
      }),
      shedLoad(config.MAX_QUEUE_DELAY_MS, this.overloadLog),
      checkProtocol,
      servePublicRoutes({
        ...healthRoutes(this.readiness),
        ...(config.DOCS === 'on' ? this.#documentationRoutes() : {}),
      }),
      authenticate(this.#keyRing, REALM),
      limitRate(),
      refuseUnknownRoutes(this.#routes, 'The pets are at /v1/pets.'),
      requireScope(REALM),
      routeToHandlers(this.#versions, { database, createQueue, publicBaseUrl: PUBLIC_BASE_URL }),
    ];
  }

  #documentationRoutes(): Record<string, PublicRoute> {
    const { PUBLIC_BASE_URL: production, STAGING_BASE_URL: staging } = this.config;
    const versions = this.#versions.map(({ version }) => version);
    return { ...docsRoutes(), ...openApiRoutes(versions, { production, staging }) };
  }

  #createServer(): Server {
    const { config, database, connections } = this;
    const { logger, accessLog, observer } = this.#parts;
    const toErrorResponse = createErrorResponses(
      logger,
      (thrown) => classifyRouterError(thrown) ?? classifyOutage(database.classify(thrown)),
    );
    return createHttpServer({
      maxHeadBytes: sizeLimits.head,
      keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
      trustedProxies: config.TRUSTED_PROXIES,
      logger,
      connections,
      routes: this.#routes,
      respond: createPipeline(this.steps, toErrorResponse),
      onRequestEnd(summary) {
        // Probes come every few seconds: only one that fails tells something.
        if (summary.status !== 200 || !isProbe(summary.route ?? '')) accessLog(summary);
        observer?.onRequestEnd(summary);
      },
      onRefusal: (method, error) => observer?.onRefusal(method, error),
    });
  }
}

/** Names the service in the challenges of RFC 6750. */
const REALM = 'petstore';

/** The request headers that pages of other origins may set. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Client',
  'X-Request-Id',
];

const outageCodes = {
  busy: 'overloaded',
  unavailable: 'database_unavailable',
  behind: 'database_behind',
  exhausted: 'ids_exhausted',
} as const;

function classifyOutage(outage: ReturnType<Database['classify']>): HttpError | undefined {
  if (outage === undefined) return undefined;
  return new HttpError(outageCodes[outage]);
}
