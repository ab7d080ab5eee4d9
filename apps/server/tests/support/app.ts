import { readFileSync } from 'node:fs';
import { type Engine, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';
import { createRedactor } from '../../src/keys/api-key.ts';
import { createKey } from '../../src/keys/manage.ts';
import { openDatabase } from '../../src/open-database.ts';
import { listenAsConfigured } from '../../src/serve.ts';
import { Service } from '../../src/service.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import type { ServedVersion } from '../../src/versions/served-version.ts';

/** docs/log.schema.json, which describes every line of the log. */
export const logSchema = z.fromJSONSchema(
  JSON.parse(readFileSync(new URL('../../../../docs/log.schema.json', import.meta.url), 'utf8')),
);

/** Ids reach 2^63 - 1, but zod accepts only JavaScript's safe integers. */
function toSafeInteger(_name: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value)
    ? Math.min(value, Number.MAX_SAFE_INTEGER)
    : value;
}

function assertDocumented(line: string): void {
  const { success } = logSchema.safeParse(JSON.parse(line, toSafeInteger));
  if (!success) throw new Error(`This log line does not match docs/log.schema.json: ${line}`);
}

export interface RunningApp extends AsyncDisposable {
  service: Service;
  /** Ends with the version prefix, such as `/v1`. */
  baseUrl: string;
  origin: string;
  apiKey: string;
  /** The parsed lines of the log. */
  logLines(): Record<string, unknown>[];
  /** The database of this app, which a second app can open as well. */
  databaseUrl: string;
  /** Runs a statement on this database over a connection that the app does not know. */
  run(statement: string): Promise<void>;
  /** Sends a request with the API key; a body is sent as JSON. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** Starts the app in this process, on a real socket and with a database of its own. */
export async function startApp(
  environment: Record<string, string> = {},
  engine: Engine = 'sqlite',
  givenKey?: string,
  versions?: readonly ServedVersion[],
): Promise<RunningApp> {
  const temporary = await temporaryDatabase(engine);
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: temporary.url,
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
  const service = new Service({ logger, config, database }, versions);
  const { server } = service;
  const baseUrl = await listenAsConfigured(server, config);
  const apiKey = givenKey ?? (await createKey(database, 'test'));
  return {
    service,
    baseUrl,
    origin: new URL(baseUrl).origin,
    apiKey,
    logLines: () => log.map((line): Record<string, unknown> => JSON.parse(line)),
    databaseUrl: temporary.url,
    run: temporary.run,
    request: fetchWithKey(baseUrl, apiKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
      for (const line of log) assertDocumented(line);
    },
  };
}
