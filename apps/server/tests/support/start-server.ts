import { once } from 'node:events';
import { pino } from 'pino';
import { Connections } from '../../src/http/connection/connections.ts';
import { OverloadLog } from '../../src/http/connection/overload-log.ts';
import { listen } from '../../src/http/listen.ts';
import type { RequestContext } from '../../src/http/pipeline/request-context.ts';
import { Routes } from '../../src/http/pipeline/routes.ts';
import { createHttpServer } from '../../src/http/server.ts';

const logger = pino({ level: 'silent' });

/** Starts a server that responds to requests as the test says. */
export async function startServer(respond: (request: RequestContext) => unknown) {
  const connections = new Connections(new OverloadLog(logger), 10_000);
  const server = createHttpServer({
    maxHeadBytes: 16 * 1024,
    keepAliveTimeoutMs: 60_000,
    trustedProxies: [],
    logger,
    connections,
    routes: new Routes([]),
    respond: async (request) => void (await respond(request)),
    onRequestEnd() {},
    onRefusal() {},
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    server,
    origin,
    connections,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}
