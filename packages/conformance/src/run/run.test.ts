import { describe, expect, test } from 'vitest';
import type { Check } from '../check.ts';
import type { Target } from '../target.ts';
import { runChecks } from './run.ts';

const check = (name: string, run: Check['run'], readOnly = true): Check => ({
  name,
  cites: '',
  readOnly,
  run,
});
const target = { baseUrl: 'http://petstore.test/v1', apiKey: 'key', fetch: async () => new Response() };
const passes = async () => {};
const fails = async () => {
  throw new Error('wrong');
};
const run = (checks: Check[], options = {}) => Array.fromAsync(runChecks(target, { checks, ...options }));

/** Collects the results until the run throws. */
async function runUntilError(target: Target, checks: Check[], options = {}) {
  const names: string[] = [];
  try {
    for await (const result of runChecks(target, { checks, ...options })) names.push(result.check.name);
    return { names, error: undefined };
  } catch (error) {
    return { names, error };
  }
}

describe('runChecks', () => {
  test('runs checks one after another, and a failed one does not stop the next', async () => {
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

  test('leaves out the checks that add pets when it may only read', async () => {
    const checks = [check('reads', passes), check('adds', passes, false)];
    expect((await run(checks, { readOnly: true })).map((result) => result.check.name)).toEqual(['reads']);
    expect(await run(checks)).toHaveLength(2);
  });

  test('fails a check that is out of time, aborts its request and lets it send nothing more', async () => {
    let sent = 0;
    let aborted = 0;
    const counting: Target = {
      ...target,
      fetch: async (_url, { signal }) => {
        sent += 1;
        signal?.addEventListener('abort', () => {
          aborted += 1;
        });
        return new Response();
      },
    };
    let isOver = false;
    const endless = check('endless', async ({ fetch }) => {
      try {
        for (;;) {
          await fetch('http://petstore.test/v1/pets', {});
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } finally {
        isOver = true;
      }
    });
    const [result] = await Array.fromAsync(runChecks(counting, { checks: [endless], timeLimit: 30 }));
    expect(result?.error?.message).toBe('took more than 30 ms');
    await expect.poll(() => isOver).toBe(true);
    expect(aborted).toBeGreaterThanOrEqual(sent - 1);
  });

  test('stops when the target stops responding, and names the check during which it did', async () => {
    let isDown = false;
    const dying = {
      ...target,
      fetch: async () => {
        if (isDown) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
        return new Response();
      },
    };
    const kills = check('kills', async () => {
      isDown = true;
      throw new Error('wrong');
    });
    const checks = [check('before', passes), kills, check('after', passes)];
    const { names, error } = await runUntilError(dying, checks);
    expect(names).toEqual(['before', 'kills']);
    expect(error).toHaveProperty('name', 'RunError');
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/stopped responding during .*"kills".*ECONNREFUSED/),
    );
  });

  test('goes on when a check fails and the target still responds', async () => {
    const checks = [check('first', fails), check('second', fails)];
    expect(await runUntilError(target, checks)).toEqual({ names: ['first', 'second'], error: undefined });
  });

  test('stops when all checks together take too long', async () => {
    const waits = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const checks = Array.from({ length: 100 }, (_, index) => check(`${index}`, waits));
    const { names, error } = await runUntilError(target, checks, { totalTimeLimit: 100 });
    expect(names.length).toBeLessThanOrEqual(6);
    expect(error).toHaveProperty('message', 'The checks took more than 0.1 s');
  });
});
