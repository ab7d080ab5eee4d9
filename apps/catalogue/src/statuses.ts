import type { PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';

/** The statuses of the contract, in its order. */
export const statuses: readonly Status[] = PetStatus.options;

/** `available` as it stands on a page. */
export const statusLabel = (status: Status | undefined): string =>
  status === undefined ? 'No status' : status.charAt(0).toUpperCase() + status.slice(1);

/** What a list is called whose animals have a status. */
export const listTitle = (status: Status | undefined): string =>
  status === undefined ? 'All animals' : `${statusLabel(status)} animals`;
