import { readFileSync } from 'node:fs';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import type { Engine } from '@petstore/test-support/databases/engines';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';
import { type Context, createContext } from '../../src/context.ts';
import { openDatabase } from '../../src/database/open.ts';
import { listen } from '../../src/http/listen.ts';
import type { ServedVersion } from '../../src/http/routing/versions.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createKey } from '../../src/keys/manage.ts';
import { createLoggers } from '../../src/observability/log/loggers.ts';

/** docs/log.schema.json, which describes every line of the log. */
export const logSchema = z.fromJSONSchema(
  JSON.parse(readFileSync(new URL('../../../../docs/log.schema.json', import.meta.url), 'utf8')),
);

function assertDocumented(line: string): void {
  const { success } = logSchema.safeParse(JSON.parse(line));
  if (!success) throw new Error(`This log line is not of a form in docs/log.schema.json: ${line}`);
}

export interface RunningApp extends AsyncDisposable {
  context: Context;
  /** With the version prefix. */
  baseUrl: string;
  origin: string;
  apiKey: string;
  /** What was logged, a parsed line each. */
  logLines(): Record<string, unknown>[];
  /** Sends a request with the API key; a body is sent as JSON. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** The app on a real socket over a database of its own, in this process. */
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
    // A machine that is busy with other tests is no overload.
    MAX_QUEUE_DELAY_MS: '60000',
    ...environment,
  });
  const database = await openDatabase(config);
  const log: string[] = [];
  const loggers = createLoggers({ write: (line) => void log.push(line) }, config);
  const context = createContext({ ...loggers, config, database }, versions);
  const server = createHttpServer(context);
  const baseUrl = await listen(server, config);
  const apiKey = givenKey ?? (await createKey(database, 'test'));
  return {
    context,
    baseUrl,
    origin: new URL(baseUrl).origin,
    apiKey,
    logLines: () => log.map((line): Record<string, unknown> => JSON.parse(line)),
    request: (path, init = {}) =>
      fetch(baseUrl + path, {
        ...init,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(init.body && { 'content-type': 'application/json' }),
          ...Object.fromEntries(new Headers(init.headers)),
        },
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
      for (const line of log) assertDocumented(line);
    },
  };
}
