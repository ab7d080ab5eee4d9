import { stringifyJson, v1 } from '@petstore/contract';
import type { Config } from '../../config.ts';
import { entityTagOf } from '../cache/entity-tag.ts';
import type { Response } from '../response.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

/** `/openapi.json`: the contract as an OpenAPI document, with the servers of the configuration. */
export function openApiRoutes({
  PUBLIC_BASE_URL: production = v1.prefix,
  STAGING_BASE_URL: staging,
}: Config): Record<'/openapi.json', PublicRoute> {
  let response: Promise<Response> | undefined;

  /** Rendered on the first request, so that a start does not wait for it, and once for all callers. */
  async function render(): Promise<Response> {
    const { openApiDocument } = await import('@petstore/contract/openapi');
    const body = Buffer.from(stringifyJson(openApiDocument({ production, staging })));
    const etag = entityTagOf(body);
    const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', 'ETag', etag];
    return { status: 200, headers, body, etag };
  }

  return {
    '/openapi.json': () => {
      response ??= render();
      return response;
    },
  };
}
