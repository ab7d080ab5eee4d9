import { engines, temporaryDatabase } from '@petstore/test-support/databases/databases';
import { bearer, requestHead, sendRaw } from '@petstore/test-support/raw-http';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

// OpenTelemetry has an instrumentation of PostgreSQL, and none of SQLite.
test.runIf(engines.includes('postgres'))(
  'with OpenTelemetry preloaded, requests, routes and queries have spans, whose trace the log names',
  async () => {
    await using database = await temporaryDatabase('postgres');
    const NODE_OPTIONS = `--import ${new URL('../support/open-telemetry.ts', import.meta.url).href}`;
    await using server = await startServer({ DATABASE_URL: database.url, NODE_OPTIONS });

    await server.request('/pets/1', { headers: { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` } });

    // A span is printed as an object, each of whose members begins a line.
    const spans = () => server.output().split('\n}');
    const hasSpan = (traceId: string, nameStart: string) =>
      spans().some(
        (span) => span.includes(`\n  traceId: '${traceId}'`) && span.includes(`\n  name: '${nameStart}`),
      );
    for (const nameStart of ['GET', 'request handler - /v1/pets/:petId', 'pg'])
      await expect.poll(() => hasSpan(TRACE_ID, nameStart)).toBe(true);
    const logged = () => Array.from(server.output().matchAll(/"trace_id":"(\w+)"/g), ([, id]) => id);
    await expect.poll(logged).toEqual([TRACE_ID]);

    // Without a traceparent, each request has its own trace, even if it is pipelined or expects 100 Continue.
    const [get, key] = ['GET /v1/pets/1', bearer(FIXED_KEY)];
    const pipelined = requestHead(get, key) + requestHead(get, key, 'Expect: 100-continue');
    await sendRaw(server.origin, pipelined, { count: 2 });
    await expect.poll(() => new Set(logged()).size).toBe(3);
    for (const id of logged()) await expect.poll(() => hasSpan(`${id}`, 'GET')).toBe(true);
  },
);
