import { once } from 'node:events';
import { createServer } from 'node:http';
import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { fetchWithKey } from '@petstore/test-support/servers/fetch-with-key';
import { listen } from '@petstore/test-support/servers/listen';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import * as z from 'zod';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

const Span = z.object({ name: z.string(), traceId: z.string() });
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});

// OpenTelemetry has an instrumentation of PostgreSQL, and none of SQLite.
test.runIf(engines.includes('postgres'))(
  'with OpenTelemetry preloaded, the server exports spans of requests, routes and queries',
  async () => {
    const spans: z.output<typeof Span>[] = [];
    const collector = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(req, 'end');
      const { resourceSpans } = Export.parse(JSON.parse(Buffer.concat(chunks).toString()));
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      res.end('{}');
    });
    await using listening = await listen(collector);
    await using database = await temporaryDatabase('postgres');
    await using server = await startServer({
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import ${new URL('../support/open-telemetry.ts', import.meta.url).href}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: listening.origin,
    });

    const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
    expect((await fetchWithKey(server.baseUrl, FIXED_KEY)('/pets/1', { headers })).status).toBe(404);

    const names = () => spans.filter(({ traceId }) => traceId === TRACE_ID).map(({ name }) => name);
    await expect.poll(names).toContain('GET');
    await expect.poll(names).toContain('request handler - /v1/pets/:petId');
    await expect.poll(names).toContainEqual(expect.stringMatching(/^pg/));
    const logged = () => Array.from(server.output().matchAll(/"trace_id":"(\w+)"/g), ([, id]) => id);
    await expect.poll(logged).toEqual([TRACE_ID]);

    // Without a traceparent, the log line has the id of the new trace.
    await fetchWithKey(server.baseUrl, FIXED_KEY)('/pets/1');
    await expect.poll(logged).toHaveLength(2);
    await expect.poll(() => spans.map(({ traceId }) => traceId)).toContain(logged()[1]);
  },
);
