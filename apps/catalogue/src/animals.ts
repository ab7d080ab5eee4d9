import type { Pet, PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';

/** The statuses of the contract, in its order. */
export const statuses: readonly Status[] = PetStatus.options;

/** `available` as it stands on a page. */
export const statusLabel = (status: Status | undefined): string =>
  status === undefined ? 'No status' : status.charAt(0).toUpperCase() + status.slice(1);

export const animalPath = (id: Pet['id']): string => `/animals/${id}`;
