import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

test('a caller may send all requests at once, and then one whenever its share of the time has passed', () => {
  const limiter = new RateLimiter({ requests: 3, seconds: 30 });
  const take = (now: number) => limiter.take('shop', now);
  expect(take(0)).toEqual({ isAllowed: true, remaining: 2, seconds: 10 });
  expect(take(0)).toEqual({ isAllowed: true, remaining: 1, seconds: 10 });
  expect(take(0)).toEqual({ isAllowed: true, remaining: 0, seconds: 10 });
  expect(take(1_000)).toEqual({ isAllowed: false, remaining: 0, seconds: 9 });
  expect(take(9_999)).toEqual({ isAllowed: false, remaining: 0, seconds: 1 });
  expect(take(10_000)).toEqual({ isAllowed: true, remaining: 0, seconds: 10 });
  expect(take(60_000)).toEqual({ isAllowed: true, remaining: 2, seconds: 10 });
});

test('each caller has a limit of its own', () => {
  const limiter = new RateLimiter({ requests: 1, seconds: 1 });
  expect(limiter.take('shop', 0).isAllowed).toBe(true);
  expect(limiter.take('shop', 0).isAllowed).toBe(false);
  expect(limiter.take('kiosk', 0).isAllowed).toBe(true);
});

test('callers who have sent nothing for a while take no memory', () => {
  const limiter = new RateLimiter({ requests: 10, seconds: 1 });
  for (let number = 0; number < 1_000; number += 1) limiter.take(`key-${number}`, 0);
  expect(limiter.size).toBe(1_000);
  limiter.take('shop', 1_000);
  expect(limiter.size).toBe(1);
});

test('a request is allowed after the seconds that its refusal names, and what remains is allowed at once', () => {
  const limits = fc.record({
    requests: fc.integer({ min: 1, max: 50 }),
    seconds: fc.integer({ min: 1, max: 9 }),
  });
  const pauses = fc.array(fc.double({ min: 0, max: 3_000, noNaN: true }), { maxLength: 100 });
  fc.assert(
    fc.property(limits, pauses, (limit, delays) => {
      const limiter = new RateLimiter(limit);
      let now = 12_345.678;
      let decision = limiter.take('shop', now);
      for (const delay of delays) {
        now += delay;
        decision = limiter.take('shop', now);
        expect(decision.remaining).toBeLessThan(limit.requests);
      }
      for (let left = decision.remaining; left > 0; left -= 1) {
        expect(limiter.take('shop', now).isAllowed).toBe(true);
      }
      const refused = limiter.take('shop', now);
      expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
      expect(limiter.take('shop', now + refused.seconds * 1_000).isAllowed).toBe(true);
    }),
  );
});

test('no more requests are allowed than all at once and those that came back over the time', () => {
  const limiter = new RateLimiter({ requests: 7, seconds: 3 });
  let allowed = 0;
  for (let now = 0; now <= 30_000; now += 1) if (limiter.take('shop', now).isAllowed) allowed += 1;
  expect(allowed).toBe(7 + 70);
});
