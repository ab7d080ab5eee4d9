import type { Pet, PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';

/** A name of nothing but spaces and characters without a width, which would leave a gap on a page. */
const BLANK = /^[\s\p{Z}\p{Cf}]*$/u;

/** The name in whatever script and direction it is written, without an influence on what stands around it. */
export const AnimalName = ({ name }: Pick<Pet, 'name'>) =>
  BLANK.test(name) ? <em>No name</em> : <bdi>{name}</bdi>;

export const StatusBadge = ({ status }: Pick<Pet, 'status'>) => (
  <span class={`status ${status ?? 'none'}`}>{statusLabel(status)}</span>
);

/** The statuses of the contract, in its order. */
export const statuses: readonly Status[] = PetStatus.options;

/** `available` as it stands on a page. */
export const statusLabel = (status: Status | undefined): string =>
  status === undefined ? 'No status' : status.charAt(0).toUpperCase() + status.slice(1);

/** What a list is called whose animals have a status. */
export const listTitle = (status: Status | undefined): string =>
  status === undefined ? 'All animals' : `${statusLabel(status)} animals`;
