import type { Context } from '../../context.ts';
import { isValid, type Validity } from '../cache/response-cache.ts';
import type { Step } from '../pipeline.ts';
import type { Response } from '../response.ts';

/** A response that may be cached for as long as its validity says. */
export type CacheableResponse = Response & { readonly validity?: Validity | undefined };

/** Responds to a GET from the cache while that is valid, and otherwise through the next step. */
export function cacheResponses(
  { database, responseCache: cache }: Pick<Context, 'database' | 'responseCache'>,
  next: (...request: Parameters<Step>) => Promise<CacheableResponse>,
): Step {
  return async (request) => {
    const { method, url = '' } = request.req;
    if (method === 'POST') return next(request);
    const cached = cache.find(url);
    if (cached !== undefined && (await isValid(cached.validity, database))) {
      cache.hits += 1;
      return cached.response;
    }
    cache.misses += 1;
    const response = await next(request);
    const { validity } = response;
    if (validity !== undefined && method === 'GET') cache.store(url, { response, validity });
    return response;
  };
}
