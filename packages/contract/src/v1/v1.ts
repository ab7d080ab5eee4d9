import { initContract } from '@ts-rest/core';
import type { Version } from '../version.ts';
import { pets } from './pets.ts';

export const v1 = {
  /** Every base URL ends with it (interface: Versioning). */
  prefix: '/v1',
  /** Each resource is a router of its own, so that store orders can stand beside `pets`. */
  contract: initContract().router({ pets }, { strictStatusCodes: true }),
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version;
