import { v1 } from '@petstore/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import { Urls } from '../http/urls.ts';
import { endpointOptions, type ServedVersion } from '../versions/served-version.ts';
import { petHandlers } from './pets.ts';

/** TypeScript reports each resource and operation of the contract that has no handler. */
export const servedVersion1: ServedVersion = {
  version: v1,
  addEndpoints(router, parts, steps) {
    const urls = new Urls(v1.prefix, parts.publicBaseUrl);
    const handlers = { pets: petHandlers(parts, urls) };
    createExpressEndpoints(v1.contract, handlers, router, endpointOptions(v1, urls, steps));
  },
};
