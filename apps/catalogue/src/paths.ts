import type { Pet, PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';

/**
 * A page of the list. The URLs of an animal and of the form have it too, for the way back: filter and place are
 * kept without JavaScript, and in a link that is sent to a colleague.
 */
export interface ListQuery {
  status?: Status | undefined;
  cursor?: string | undefined;
}

/** Reads the query of a URL. A status that is none of the contract's is left out. */
export const parseListQuery = ({ status, cursor }: Record<string, string>): ListQuery => ({
  status: PetStatus.safeParse(status).data,
  cursor,
});

export const listPath = (list: ListQuery): string => withQuery('/animals', { ...list });

/** @param added whether the form that led to the page added the animal now or before */
export const animalPath = (id: Pet['id'], list: ListQuery, added?: 'now' | 'before'): string =>
  withQuery(`/animals/${id}`, { added, ...list });

/** @param key the Idempotency-Key of a form. Without one, the path opens a new form. */
export const newAnimalPath = (list: ListQuery, key?: string): string =>
  withQuery('/animals/new', { key, ...list });

/** The card of an animal in the list, for the way back to it. */
export const cardId = (id: Pet['id']): string => `animal-${id}`;

function withQuery(path: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
