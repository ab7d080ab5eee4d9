import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimiter } from './limit-rate.ts';

test('remaining requests are allowed at once, and a refused one after the seconds that its refusal names', () => {
  const requests = fc.integer({ min: 1, max: 50 });
  const limits = fc.record({ requests, seconds: fc.integer({ min: 1, max: 9 }) });
  const pauses = fc.array(fc.double({ min: 0, max: 3_000, noNaN: true }), { maxLength: 100 });
  fc.assert(
    fc.property(limits, pauses, (limit, delays) => {
      const limiter = new RateLimiter();
      const take = (at: number) => limiter.take('shop', limit, at);
      let now = 0;
      let decision = take(now);
      for (const delay of delays) {
        now += delay;
        decision = take(now);
        expect(decision.remaining).toBeLessThan(limit.requests);
      }
      for (let left = decision.remaining; left > 0; left -= 1) expect(take(now).isAllowed).toBe(true);
      const refused = take(now);
      expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
      // `refillSeconds` is rounded up by less than one, and sums of fractions differ by less than 0.01 ms.
      const earlyMs = Math.max(0, (refused.refillSeconds - 1) * 1_000 - 0.01);
      expect(take(now + earlyMs).isAllowed).toBe(false);
      expect(take(now + refused.refillSeconds * 1_000).isAllowed).toBe(true);
    }),
  );
});

test('a caller waits no longer than the window of its present limit, even if an earlier one was longer', () => {
  const limiter = new RateLimiter();
  limiter.take('shop', { requests: 1, seconds: 3_600 }, 0);
  expect(limiter.take('shop', { requests: 1, seconds: 10 }, 0).refillSeconds).toBe(10);
});
