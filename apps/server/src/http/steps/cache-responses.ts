import type { Database } from '../../database/database.ts';
import { isValid, ResponseCache, type Validity } from '../cache/response-cache.ts';
import type { Step } from '../pipeline.ts';
import type { Response } from '../response.ts';

/** A response that may be cached for as long as its validity says. */
export type CacheableResponse = Response & { readonly validity?: Validity | undefined };

/** Responds to a GET from the cache while that is valid, and otherwise through the next step. */
export function cacheResponses(
  database: Pick<Database, 'epoch' | 'version'>,
  next: (...request: Parameters<Step>) => Promise<CacheableResponse>,
): Step {
  const cache = new ResponseCache();
  return async (request) => {
    const { method, url = '' } = request.req;
    if (method === 'POST') return next(request);
    const cached = cache.find(url);
    if (cached !== undefined && (await isValid(cached.validity, database))) return cached.response;
    const response = await next(request);
    const { validity } = response;
    if (validity !== undefined && method === 'GET') cache.store(url, { response, validity });
    return response;
  };
}
