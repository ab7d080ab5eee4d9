import { once } from 'node:events';
import express, { type RequestHandler } from 'express';
import { pino } from 'pino';
import { Connections } from '../../src/http/connection/connections.ts';
import { OverloadLog } from '../../src/http/connection/overload-log.ts';
import { listen } from '../../src/http/listen.ts';
import { beginRequest } from '../../src/http/request-context.ts';
import { createHttpServer } from '../../src/http/server.ts';

const logger = pino({ level: 'silent' });

/** Starts a server that responds to requests as the test says. */
export async function startServer(respond: RequestHandler) {
  const connections = new Connections(new OverloadLog(logger), 10_000);
  const app = express();
  app.use(
    beginRequest({
      findConnection: ({ socket }) => connections.find(socket),
      logger,
      onRequestEnd: undefined,
    }),
    respond,
  );
  const server = createHttpServer(app, {
    maxHeadBytes: 16 * 1024,
    keepAliveTimeoutMs: 60_000,
    logger,
    connections,
    methods: ['GET'],
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
