import type { Pet, PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';

/** Names that would be a gap in the page: only spaces and characters without width. */
const BLANK = /^[\s\p{Z}\p{Cf}]*$/u;

/** The name, isolated by `bdi`: a name from right to left does not reorder the text around it. */
export const AnimalName = ({ name }: Pick<Pet, 'name'>) =>
  BLANK.test(name) ? <em>No name</em> : <bdi>{name}</bdi>;

export const StatusBadge = ({ status }: Pick<Pet, 'status'>) => (
  <span class={`status ${status ?? 'none'}`}>{statusLabel(status)}</span>
);

export const statuses: readonly Status[] = PetStatus.options;

export const statusLabel = (status: Status | undefined): string =>
  status === undefined ? 'No status' : status.charAt(0).toUpperCase() + status.slice(1);

export const listTitle = (status: Status | undefined): string =>
  status === undefined ? 'All animals' : `${statusLabel(status)} animals`;
