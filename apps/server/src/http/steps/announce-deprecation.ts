import { deprecationHeaders } from '@petstore/contract';
import type { Config } from '../../config.ts';
import type { Step } from '../pipeline.ts';
import type { Route } from '../routing/routes.ts';
import { Urls } from '../routing/urls.ts';

/** Announces the removal of a deprecated operation on each of its responses, refusals included. */
export function announceDeprecation({ PUBLIC_BASE_URL }: Config): Step {
  const cache = new Map<Route, readonly string[]>();
  return ({ route, headers }) => {
    if (route?.deprecation === undefined) return undefined;
    let announcement = cache.get(route);
    if (announcement === undefined) {
      const urls = new Urls(route.prefix, PUBLIC_BASE_URL);
      const links = { documentation: urls.docs, baseUrl: urls.base };
      announcement = Object.entries(deprecationHeaders(route.deprecation, links)).flat();
      cache.set(route, announcement);
    }
    headers.push(...announcement);
    return undefined;
  };
}
