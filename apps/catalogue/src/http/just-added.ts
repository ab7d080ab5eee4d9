import type { Pet } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/**
 * The pet store lists animals by their numbers, the newest last, and nothing leads to its last page. So the browser
 * keeps for a while which animals it has added, and the list shows these first.
 */
const COOKIE = 'just-added';
const MAX_ANIMALS = 8;

/** The numbers of the animals that this browser has added, the newest first. */
export const readJustAdded = (c: Context): Pet['id'][] =>
  (getCookie(c, COOKIE) ?? '')
    .split('.', MAX_ANIMALS)
    .map(parseInt64)
    .filter((id) => id !== undefined);

/** Puts an animal before those that this browser has added. */
export function rememberJustAdded(c: Context, id: Pet['id']): void {
  const ids = [id, ...readJustAdded(c).filter((other) => other !== id)].slice(0, MAX_ANIMALS);
  setCookie(c, COOKIE, ids.join('.'), { httpOnly: true, sameSite: 'Lax', maxAge: 12 * 60 * 60 });
}
