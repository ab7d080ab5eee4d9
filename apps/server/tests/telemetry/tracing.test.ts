import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDatabase } from '@petstore/test-support/databases/databases';
import { engines } from '@petstore/test-support/databases/engines';
import { temporaryFolder } from '@petstore/test-support/files';
import { findFreePort } from '@petstore/test-support/servers/free-port';
import { listen } from '@petstore/test-support/servers/listen';
import { FIXED_KEY, startServer } from '@petstore/test-support/servers/server-process';
import { expect, test } from 'vitest';
import { z } from 'zod';

const EXAMPLE = fileURLToPath(new URL('../../../../packages/client/examples/tracing.ts', import.meta.url));

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(Attribute),
  status: z.object({ code: z.number().optional() }).optional(),
});

/** What an exporter sends: OTLP as JSON. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** A collector on loopback. */
async function startCollector() {
  const spans: (z.output<typeof Span> & { service: unknown })[] = [];
  const server = createServer(async (req, res) => {
    const { resourceSpans } = Export.parse(await json(req));
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, service })));
    }
    res.setHeader('content-type', 'application/json').end('{}');
  });
  return { ...(await listen(server)), spans };
}

const attributeOf = (attributes: z.output<typeof Attribute>[], name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue;

/** A server exports its spans soon, so that a test need not wait for them. */
const SOON = { OTEL_BSP_SCHEDULE_DELAY: '50' };

/** The kind of a server's span. */
const SERVER = 2;

const headers = { authorization: `Bearer ${FIXED_KEY}` };

test.each(engines)(
  'over %s, a collector receives one whole trace across client and server',
  async (engine) => {
    await using database = await temporaryDatabase(engine);
    await using collector = await startCollector();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin };
    await using server = await startServer({ ...environment, ...SOON, DATABASE_URL: database.url });

    const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE], {
      env: { ...environment, PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: FIXED_KEY },
    });
    const [traceId = '', petId] = stdout.trim().split(' ');
    expect(petId).toBe('1');
    await fetch(`${server.baseUrl}/pets/1`, { headers });
    const exported = (name: string) => collector.spans.filter((span) => span.name === name).length;
    await expect.poll(() => [exported('POST /v1/pets'), exported('GET /v1/pets/:petId')]).toEqual([1, 1]);

    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name;
    const shape = spans.map(({ name, parentSpanId }) => `${nameOf(parentSpanId)} > ${name}`);
    expect(shape.sort()).toEqual([
      'POST /v1/pets > commit',
      'POST /v1/pets > queue',
      'POST /v1/pets > validation',
      'add a pet > POST /v1/pets',
      'commit > query',
      'undefined > add a pet',
    ]);
    expect(spans.find(({ name }) => name === 'POST /v1/pets')).toMatchObject({
      service: 'petstore',
      kind: SERVER,
      attributes: expect.arrayContaining([
        { key: 'http.route', value: { stringValue: '/v1/pets' } },
        { key: 'http.response.status_code', value: { intValue: 201 } },
      ]),
    });
    // A request without a caller's span begins a trace, which its line in the log names as well.
    const read = collector.spans.find(({ name }) => name === 'GET /v1/pets/:petId');
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === read?.spanId);
    expect(new Set(children.map(({ name }) => name))).toEqual(new Set(['validation', 'query']));
    await expect
      .poll(server.output)
      .toMatch(new RegExp(`"route":"/v1/pets/:petId",.*"trace_id":"${read?.traceId}"`));
    await expect.poll(server.output).toMatch(new RegExp(`"method":"POST",.*"trace_id":"${traceId}"`));
  },
);

test('requests that one commit has served have each a whole trace, and refusals end theirs', async () => {
  await using folder = await temporaryFolder();
  await using collector = await startCollector();
  const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.origin}/v1/traces`, ...SOON };
  await using server = await startServer(environment, { cwd: folder.path });
  const post = (body: string) =>
    fetch(`${server.baseUrl}/pets`, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    });
  const responses = await Promise.all(Array.from({ length: 30 }, () => post('{"name":"a","categoryId":1}')));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  await post('{}');
  await fetch(`${server.baseUrl}/pets`);
  const roots = () => collector.spans.filter(({ kind }) => kind === SERVER);
  await expect.poll(() => roots().length).toBe(32);

  const requests = collector.spans.filter(({ name }) => name === 'POST /v1/pets');
  const childrenOf = (id: string) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === id).map(({ name }) => name);
  const children = requests.map(({ spanId }) => childrenOf(spanId).sort().join(' '));
  expect(children.filter((names) => names === 'commit queue validation')).toHaveLength(30);
  expect(children.filter((names) => names === 'validation')).toHaveLength(1);
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(32);
});

test('a span has no API key in its path, and a method that the service lacks is no error of the service', async () => {
  await using folder = await temporaryFolder();
  await using collector = await startCollector();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, ...SOON };
  await using server = await startServer(environment, { cwd: folder.path });
  const key = `pst_${'x'.repeat(38)}`;
  await fetch(`${server.baseUrl}/pets/${key}`);
  await fetch(`${server.baseUrl}/pets`, { method: 'PROPFIND' });
  await expect.poll(() => collector.spans.length).toBe(2);

  expect(JSON.stringify(collector.spans)).not.toContain('xxx');
  expect(
    collector.spans.map(({ attributes, status }) => [attributeOf(attributes, 'url.path'), status]),
  ).toEqual([
    ['/v1/pets/pst_REDACTED', { code: 0 }],
    ['/v1/pets', { code: 0 }],
  ]);
});

test('a trace that its caller does not record is not recorded, and is in the log', async () => {
  await using folder = await temporaryFolder();
  await using collector = await startCollector();
  await using server = await startServer(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin },
    { cwd: folder.path },
  );
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  await fetch(`${server.baseUrl}/pets`, { headers: { ...headers, traceparent } });
  await server.stop();
  expect(collector.spans).toEqual([]);
  expect(server.output()).toContain('"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"');
});

test('a collector that is away disturbs neither requests nor the end of the service', async () => {
  await using folder = await temporaryFolder();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}` };
  await using server = await startServer(environment, { cwd: folder.path });
  expect((await fetch(`${server.baseUrl}/pets`, { headers })).status).toBe(200);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test('a collector that refuses spans disturbs neither requests nor the end of the service', async () => {
  await using folder = await temporaryFolder();
  const collector = createServer((_req, res) => res.writeHead(400).end());
  await using listening = await listen(collector);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: listening.origin };
  await using server = await startServer(environment, { cwd: folder.path });
  expect((await fetch(`${server.baseUrl}/pets`, { headers })).status).toBe(200);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(server.output()).toContain('"msg":"The last spans could not be exported"');
});
