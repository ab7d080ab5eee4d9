import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type AccessLogEntry, createAccessLog } from './access-log.ts';

const request: AccessLogEntry = {
  requestId: 'a-1.b_2',
  method: 'GET',
  route: '/v1/pets/:petId',
  path: undefined,
  status: 200,
  durationMs: 0.125,
  key: 'The "Ñandú" shop\n',
  client: undefined,
  details: undefined,
  caller: undefined,
  traceId: undefined,
};

/** What access log and logger write of an entry. */
function linesOf(
  entry: AccessLogEntry,
  { level = 'info', worker }: { level?: string; worker?: number } = {},
) {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  const logger = pino({ level, base: worker === undefined ? null : { worker } }, sink);
  createAccessLog(sink, logger, worker)(entry);
  const { traceId, details, caller, ...members } = entry;
  logger.info({ ...members, ...details, caller, trace_id: traceId });
  return lines.map((line) => line.replace(/"time":\d{13}/, '"time":0'));
}

test.each<[string, AccessLogEntry, { worker?: number }]>([
  ['of a request', request, {}],
  [
    'of a request that no route took',
    { ...request, route: undefined, key: undefined, status: 404, path: '/"Ñ\u0000', caller: '::1' },
    {},
  ],
  ['of a request that is traced', { ...request, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }, {}],
  ['of a creation', { ...request, details: { petId: 2 ** 53 - 1, note: 'a "shop"' } }, {}],
  ['of a deprecated operation', { ...request, client: 'petstore-client/1.0.0' }, {}],
  ['of a worker', request, { worker: 2 }],
])('the line %s is the one that the logger would write', (_what, entry, options) => {
  const [ours, theirs] = linesOf(entry, options);
  expect(ours).toBe(theirs);
});

test('an int64 that is no safe integer stays exact', () => {
  const [line] = linesOf({ ...request, details: { petId: 2n ** 63n - 1n } });
  expect(line).toContain('"petId":9223372036854775807');
});

test('below its level nothing is written', () => {
  expect(linesOf(request, { level: 'warn' })).toEqual([]);
});
