import type { Response } from '../responses/response.ts';
import type { RequestContext } from './request-context.ts';

/**
 * One rule of the service: returns the response that ends the request here, nothing to pass it on, or throws what
 * becomes an error response.
 */
export type Step = (request: RequestContext) => Response | undefined | Promise<Response | undefined>;
