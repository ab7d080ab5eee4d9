import { v1 } from '@petstore/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import { endpointOptions, type ServedVersion } from '../versions/served-version.ts';
import { Urls } from '../versions/urls.ts';
import { petHandlers } from './pets.ts';

/** A resource or an operation of the contract without a handler does not compile. */
export const servedVersion1: ServedVersion = {
  version: v1,
  addEndpoints(router, parts, steps) {
    const urls = new Urls(v1.prefix, parts.publicBaseUrl);
    const handlers = { pets: petHandlers(parts, urls) };
    createExpressEndpoints(v1.contract, handlers, router, endpointOptions(v1, urls, steps));
  },
};
