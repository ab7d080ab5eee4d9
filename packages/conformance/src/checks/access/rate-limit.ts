import type { Check } from '../../check.ts';
import { expectRateLimitHeaders } from '../../http/rate-limit-response.ts';
import { expect, expectStatus } from '../../http/raw-response.ts';
import { send } from '../../http/send.ts';

export const rateLimit: Check[] = [
  {
    name: 'A deployment that limits the rate of requests says with each response what is left',
    cites: 'decision: rate limit',
    readOnly: true,
    run: async (target) => {
      const page = await send(target, 'GET', '/pets?limit=1');
      expectStatus(page, 200);
      const isLimited = page.headers.has('ratelimit');
      const error = await send(target, 'GET', '/pets?limit=0');
      for (const response of [page, error]) {
        expectRateLimitHeaders(response);
        expect(
          response,
          response.headers.has('ratelimit') === isLimited,
          'RateLimit in all responses or in none',
        );
      }
    },
  },
];
