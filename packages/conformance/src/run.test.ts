import { expect, test } from 'vitest';
import type { Check } from './check.ts';
import { runChecks } from './run.ts';

const check = (name: string, run: Check['run'], readOnly = true): Check => ({
  name,
  cites: '',
  readOnly,
  run,
});
const target = { baseUrl: 'http://petstore.test/v1', apiKey: 'key', fetch: async () => new Response() };
const passes = async () => {};
const run = (checks: Check[], options = {}) => Array.fromAsync(runChecks(target, { checks, ...options }));

test('Checks run one after another, and a failed one does not stop the next', async () => {
  const order: string[] = [];
  const slow = check('slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    order.push('slow');
    throw new Error('wrong');
  });
  const results = await run([slow, check('quick', async () => void order.push('quick'))]);
  expect(order).toEqual(['slow', 'quick']);
  expect(results.map(({ passed, error }) => [passed, error?.message])).toEqual([
    [false, 'wrong'],
    [true, undefined],
  ]);
  expect(results[0]?.milliseconds).toBeGreaterThanOrEqual(9);
});

test('Checks that add animals are left out when told to only read', async () => {
  const checks = [check('reads', passes), check('adds', passes, false)];
  expect((await run(checks, { readOnly: true })).map((result) => result.check.name)).toEqual(['reads']);
  expect(await run(checks)).toHaveLength(2);
});

test('A check that is out of time fails and sends nothing more', async () => {
  let sent = 0;
  const counting = {
    ...target,
    fetch: async () => {
      sent += 1;
      return new Response();
    },
  };
  const endless = check('endless', async ({ fetch }) => {
    for (;;) {
      await fetch('http://petstore.test/v1/pets', {});
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  const [result] = await Array.fromAsync(runChecks(counting, { checks: [endless], timeLimit: 30 }));
  expect(result?.error?.message).toBe('took more than 30 ms');
  const sentInTime = sent;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sent).toBe(sentInTime);
});
