import { stringifyJson, type Version, v1 } from '@petstore/contract';
import { entityTagOf } from '../http/cache/entity-tag.ts';
import type { Response } from '../http/responses/response.ts';
import type { PublicRoute } from '../http/steps/serve-public-routes.ts';
import { Urls } from '../v1/urls.ts';

/** Base URLs with the prefix of version 1, whatever the version. */
interface BaseUrls {
  production: string | undefined;
  staging: string | undefined;
}

/**
 * The versions of the contract as OpenAPI documents, with the servers of the configuration: `/openapi.json` is
 * version 1, a later version has its own document beside it, such as `/openapi-v2.json`.
 */
export function openApiRoutes(versions: readonly Version[], baseUrls: BaseUrls): Record<string, PublicRoute> {
  return Object.fromEntries(
    versions.map((version) => [
      version.prefix === v1.prefix ? '/openapi.json' : `/openapi-${version.prefix.slice(1)}.json`,
      documentRoute(version, baseUrls),
    ]),
  );
}

function documentRoute(version: Version, baseUrls: BaseUrls): PublicRoute {
  let response: Promise<Response> | undefined;

  /** Rendered on the first request, so that a start does not wait for it, and once for all callers. */
  async function render(): Promise<Response> {
    const { openApiDocument } = await import('@petstore/contract/openapi');
    const production = new Urls(version.prefix, baseUrls.production).base;
    const staging = baseUrls.staging && new Urls(version.prefix, baseUrls.staging).base;
    const body = Buffer.from(stringifyJson(openApiDocument({ production, staging }, version)));
    const etag = entityTagOf(body);
    const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', 'ETag', etag];
    return { status: 200, headers, body, etag };
  }

  return () => {
    response ??= render();
    return response;
  };
}
