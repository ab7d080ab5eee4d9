import { initContract } from '@ts-rest/core';
import type { Version } from '../version.ts';
import { pets } from './pets.ts';

export const v1 = {
  prefix: '/v1',
  contract: initContract().router({ pets }, { strictStatusCodes: true }),
  tags: { pets: 'The pets available for adoption' },
} as const satisfies Version;
