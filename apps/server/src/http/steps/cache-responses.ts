import type { ResponseCache } from '../cache/response-cache.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import type { Step } from '../pipeline/step.ts';
import type { Response } from '../responses/response.ts';

/** A response that may be cached for as long as its validity says. */
export type CacheableResponse<Validity> = Response & { readonly validity?: Validity | undefined };

interface CacheOptions<Validity extends object> {
  cache: ResponseCache<Validity>;
  /** Whether a response of this validity is still what the next step would return. */
  isValid(validity: Validity): Promise<boolean>;
}

/** Responds to a GET from the cache while that is valid, and otherwise through the next step. */
export function cacheResponses<Validity extends object>(
  { cache, isValid }: CacheOptions<Validity>,
  next: (request: RequestContext) => Promise<CacheableResponse<Validity>>,
): Step {
  async function respondFromCache(request: RequestContext): Promise<Response> {
    const { method, url = '' } = request.req;
    const cached = cache.find(url);
    if (cached !== undefined && (await isValid(cached.validity))) {
      cache.hits += 1;
      return cached.response;
    }
    cache.misses += 1;
    const response = await next(request);
    const { validity } = response;
    if (validity !== undefined && method === 'GET') cache.store(url, { response, validity });
    return response;
  }

  return (request) => (request.req.method === 'POST' ? next(request) : respondFromCache(request));
}
