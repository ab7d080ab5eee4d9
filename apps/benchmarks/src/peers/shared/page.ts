import { type Pet, type PetRow, type Status, toPet } from './pet.ts';

/** The query of a list. */
export interface PageQuery {
  limit: number;
  status?: Status | undefined;
  /** Of the page before. */
  cursor?: string | undefined;
}

/** A page of a list. */
export interface Page {
  pets: Pet[];
  /** The cursor of the next page; none on the last one. */
  next: string | undefined;
}

/** The id after which a page begins: all peers read the cursors of our server. */
export const startOf = ({ cursor }: PageQuery): number =>
  cursor === undefined ? 0 : Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);

/** Makes a page of its rows and, where there is a next page, of the first row of that. */
export function toPage(rows: readonly PetRow[], { limit, status }: PageQuery): Page {
  const pets = rows.slice(0, limit).map(toPet);
  const last = pets.at(-1);
  if (rows.length <= limit || last === undefined) return { pets, next: undefined };
  const position = status === undefined ? `${last.id}` : `${last.id},${status}`;
  return { pets, next: Buffer.from(position).toString('base64url') };
}
