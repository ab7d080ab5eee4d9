import { readFileSync } from 'node:fs';
import { codesOf } from '@petstore/contract';
import { type Engine, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { longTimeouts } from '@petstore/test-support/servers/server-process';
import { afterAll } from 'vitest';
import { z } from 'zod';
import type { RequestSummary } from '../../src/http/log-request.ts';
import { createKey } from '../../src/keys/manage.ts';
import { createRedactor } from '../../src/keys/redact-keys.ts';
import { readConfig } from '../../src/process/config.ts';
import { listenAsConfigured } from '../../src/process/listen.ts';
import { createService, type ServiceObserver } from '../../src/service/service.ts';
import { type ServedVersion, servedVersions } from '../../src/service/versions.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { openDatabase, runSql } from './database.ts';

const DOCS = new URL('../../../../docs/', import.meta.url);
const INCIDENTS = readFileSync(new URL('incidents.md', DOCS), 'utf8');

/** docs/log.schema.json, which describes every line of the log. */
export const logSchema = z.fromJSONSchema(JSON.parse(readFileSync(new URL('log.schema.json', DOCS), 'utf8')));

/** A reviver of `JSON.parse`: ids reach 2^63 - 1, but zod accepts only JavaScript's safe integers. */
function toSafeInteger(_name: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value)
    ? Math.min(value, Number.MAX_SAFE_INTEGER)
    : value;
}

/**
 * @throws Error when the schema does not allow a line of the log, or docs/incidents.md lacks the row of a line that needs
 *   action; a line about a request needs no row
 */
function assertDocumented(line: string): void {
  const { success } = logSchema.safeParse(JSON.parse(line, toSafeInteger));
  if (!success) throw new Error(`This log line does not match docs/log.schema.json: ${line}`);
  const { level, msg, requestId }: Record<string, unknown> = JSON.parse(line);
  // Lines of level 30 (info) need no action.
  if (Number(level) > 30 && requestId === undefined && !INCIDENTS.includes(`| \`${msg}\` |`))
    throw new Error(`docs/incidents.md has no row for this log line: ${line}`);
}

/** @throws Error when the response has an error code that the contract does not state for its operation */
function assertCodeStated(versions: readonly ServedVersion[], summary: RequestSummary): void {
  const { method, route, status, code } = summary;
  // The log has 499 for a request whose caller has closed the connection.
  if (status < 400 || status === 499) return;
  for (const { version } of versions) {
    const operations = Object.values(version.contract).flatMap((resource) => Object.values(resource));
    const operation = operations.find(
      (each) => version.prefix + each.path === route && each.method === method.replace('HEAD', 'GET'),
    );
    if (operation === undefined) continue;
    const stated: readonly string[] = Object.values(operation.responses).flatMap(codesOf);
    if (!stated.includes(code ?? ''))
      throw new Error(`${method} ${route} returned ${status} ${code}: its operation does not state this`);
  }
}

interface AppOptions {
  engine?: Engine;
  apiKey?: string;
  versions?: readonly ServedVersion[];
  observer?: ServiceObserver;
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

/** Starts the app for all tests of a file, and disposes it after the last test. */
export async function useApp(...options: Parameters<typeof startApp>): Promise<RunningApp> {
  const app = await startApp(...options);
  afterAll(() => app[Symbol.asyncDispose]());
  return app;
}

/**
 * Starts the app in this process, on a real socket and with a database of its own. Disposing it throws if a log line or
 * the error code of a response was undocumented.
 * @param options.apiKey a key that `environment` has: in API_KEYS, or in the database of DATABASE_URL @default a new key
 */
export async function startApp(
  environment: Record<string, string> = {},
  { engine = 'sqlite', apiKey: givenKey, versions = servedVersions, observer }: AppOptions = {},
) {
  const temporary = await temporaryDatabase(engine);
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: temporary.url,
    ...longTimeouts,
    // Otherwise the app would refuse requests while other tests keep the machine busy.
    MAX_QUEUE_DELAY_MS: '60000',
    ...environment,
  });
  const log: string[] = [];
  const logger = createLogger(
    { write: (line) => void log.push(line) },
    { level: config.LOG_LEVEL, redact: createRedactor(config.API_KEYS) },
  );
  const database = await openDatabase(config);
  const summaries: RequestSummary[] = [];
  const recordingObserver: ServiceObserver = {
    onRequestEnd(summary) {
      summaries.push(summary);
      observer?.onRequestEnd(summary);
    },
    onBatch: (size, durationMs) => observer?.onBatch(size, durationMs),
  };
  const service = createService({ logger, config, database, observer: recordingObserver }, versions);
  const { server } = service;
  const origin = await listenAsConfigured(server, config);
  const baseUrl = `${origin}/v1`;
  const apiKey = givenKey ?? (await createKey(database.db, 'test'));
  return {
    ...temporary,
    db: database.db,
    service,
    baseUrl,
    origin,
    apiKey,
    logLines: () => log.map((line): Record<string, unknown> => JSON.parse(line)),
    /** Sends a request with the API key; a body is sent as JSON. */
    request: fetchWithKey(baseUrl, apiKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
      for (const line of log) assertDocumented(line);
      for (const summary of summaries) assertCodeStated(versions, summary);
    },
  };
}

/** Occupies a PostgreSQL connection of an app with a slow statement. @returns a function that cancels the statement */
export function occupyConnection({ service, run }: RunningApp) {
  const work = runSql(service.database, 'select pg_sleep(60)').catch(() => {});
  return async () => {
    await run(`select pg_cancel_backend(pid) from pg_stat_activity
      where query like '%pg_sleep(60)%' and datname = current_database() and pid <> pg_backend_pid()`);
    await work;
  };
}
