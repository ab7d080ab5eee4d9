import { type Int64, parseInt64 } from './int64.ts';
import { PetStatus } from './pet.ts';

/** Where a page of the listing begins: after this id, among animals of this status (or of any). */
export interface Cursor {
  after: Int64;
  status?: PetStatus | undefined;
}

const NOTATION = /^(-?\d+)(?:,(\w+))?$/;

/** Writes a cursor as the opaque text of the `cursor` parameter (base64url without padding). */
export function encodeCursor({ after, status }: Cursor): string {
  const text = status === undefined ? `${after}` : `${after},${status}`;
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Reads what {@link encodeCursor} wrote.
 *
 * @returns the cursor, or `undefined` when the text is not one that the service handed out.
 */
export function decodeCursor(text: string): Cursor | undefined {
  const [, id = '', status] = NOTATION.exec(decodeBase64Url(text)) ?? [];
  const after = parseInt64(id);
  const filter = PetStatus.optional().safeParse(status);
  if (after === undefined || !filter.success) return undefined;
  const cursor = { after, status: filter.data };
  return encodeCursor(cursor) === text ? cursor : undefined;
}

function decodeBase64Url(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
