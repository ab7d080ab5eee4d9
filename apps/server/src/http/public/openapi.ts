import { stringifyJson, type Version, v1 } from '@petstore/contract';
import type { Config } from '../../config.ts';
import { entityTagOf } from '../cache/entity-tag.ts';
import type { Response } from '../response.ts';
import { Urls } from '../routing/urls.ts';
import type { ServedVersion } from '../routing/versions.ts';
import type { PublicRoute } from '../steps/public-routes.ts';

/**
 * The versions of the contract as OpenAPI documents, with the servers of the configuration: `/openapi.json` is
 * version 1, a later version has its own document beside it, such as `/openapi-v2.json`.
 */
export function openApiRoutes(
  config: Config,
  versions: readonly ServedVersion[],
): Record<string, PublicRoute> {
  return Object.fromEntries(
    versions.map(({ version }) => [
      version.prefix === v1.prefix ? '/openapi.json' : `/openapi-${version.prefix.slice(1)}.json`,
      documentRoute(config, version),
    ]),
  );
}

function documentRoute({ PUBLIC_BASE_URL, STAGING_BASE_URL }: Config, version: Version): PublicRoute {
  let response: Promise<Response> | undefined;

  /** Rendered on the first request, so that a start does not wait for it, and once for all callers. */
  async function render(): Promise<Response> {
    const { openApiDocument } = await import('@petstore/contract/openapi');
    const production = new Urls(version.prefix, PUBLIC_BASE_URL).base;
    const staging = STAGING_BASE_URL && new Urls(version.prefix, STAGING_BASE_URL).base;
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
