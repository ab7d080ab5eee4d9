import type { Pet, PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';
import { trimBlankStart } from '../blank.ts';

/** The name, isolated by `bdi`: a name from right to left does not reorder the text around it. */
export const AnimalName = ({ name }: Pick<Pet, 'name'>) =>
  trimBlankStart(name) === '' ? <em>No name</em> : <bdi>{name}</bdi>;

/** The title of an animal's page, which a browser shows in a tab and in a list of bookmarks. */
export const animalTitle = ({ id, name }: Pet): string => trimBlankStart(name) || `Animal ${id}`;

/** Returns the beginning of a text, without half of a character at its end. */
export const cut = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

export const StatusBadge = ({ status }: Pick<Pet, 'status'>) => (
  <span class={`status ${status ?? 'none'}`}>{statusLabel(status)}</span>
);

export const statuses: readonly Status[] = PetStatus.options;

export const statusLabel = (status: Status | undefined): string =>
  status === undefined ? 'No status' : status.charAt(0).toUpperCase() + status.slice(1);

export const listTitle = (status: Status | undefined): string =>
  status === undefined ? 'All animals' : `${statusLabel(status)} animals`;
