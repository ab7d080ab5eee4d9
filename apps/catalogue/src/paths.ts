import type { Pet, PetStatus as Status } from '@petstore/client';
import { PetStatus } from '@petstore/contract';

/**
 * A page of the list. URLs of animals and of the form contain it too. So the way back also works from a shared link.
 */
export type ListQuery = {
  status?: Status | undefined;
  cursor?: string | undefined;
};

/** Reads the query of a URL. A status that the contract does not have is ignored. */
export const parseListQuery = ({ status, cursor }: Record<string, string>): ListQuery => ({
  status: PetStatus.safeParse(status).data,
  cursor,
});

export const listPath = (list: ListQuery): string => withQuery('/animals', list);

export const animalPath = (id: Pet['id'], list: ListQuery = {}): string => withQuery(`/animals/${id}`, list);

type FormQuery = ListQuery & {
  /** The Idempotency-Key of the form. @default the route redirects to a form with a new key */
  key?: string;
  /** The category that a new form begins with. */
  categoryId?: string | undefined;
};

export const newAnimalPath = (form: FormQuery): string => withQuery('/animals/new', form);

export const cardId = (id: Pet['id']): string => `animal-${id}`;

function withQuery(path: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
