import { type Int64, parseInt64 } from '../values.ts';
import { PetStatus } from './pet.ts';

/** Where a page of listPets begins: after this id. Without a status, the listing has no status filter. */
export interface Cursor {
  after: Int64;
  status?: PetStatus | undefined;
}

const NOTATION = /^(-?\d+)(?:,(\w+))?$/;

/** Formats a cursor as base64url without padding: its characters never encode to `+` or `/`. */
export function encodeCursor({ after, status }: Cursor): string {
  const text = status === undefined ? `${after}` : `${after},${status}`;
  return btoa(text).replaceAll('=', '');
}

/** Parses a cursor of {@link encodeCursor}. @returns `undefined` for any other text */
export function decodeCursor(text: string): Cursor | undefined {
  const [, id = '', status] = NOTATION.exec(decodeBase64(text)) ?? [];
  const after = parseInt64(id);
  const filter = PetStatus.optional().safeParse(status);
  if (after === undefined || !filter.success) return undefined;
  const cursor = { after, status: filter.data };
  // base64 allows several notations of a cursor; only one is accepted.
  return encodeCursor(cursor) === text ? cursor : undefined;
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
