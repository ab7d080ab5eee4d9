import { initContract } from '@ts-rest/core';
import { commonResponses, type Version } from '../version.ts';
import { pets } from './pets.ts';

const prefix = '/v1';

/** Each resource is a router of its own, so that store orders can stand beside `pets`. */
const contract = initContract().router(
  { pets },
  { pathPrefix: prefix, strictStatusCodes: true, commonResponses },
);

/** Version 1 of the interface. */
export const v1 = {
  /** Every base URL ends with it (interface: Versioning). */
  prefix,
  contract,
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version<keyof typeof contract>;
