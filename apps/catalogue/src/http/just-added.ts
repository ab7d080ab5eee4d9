import type { Pet } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/**
 * The pet store lists the newest animals last, and cannot be asked for its last page. So this cookie holds the numbers
 * of animals that the browser has added, and the list shows these animals first.
 */
const COOKIE = 'just-added';
const MAX_ANIMALS = 8;

/** @returns the numbers of the animals that this browser has added, the newest first */
export const readJustAdded = (c: Context): Pet['id'][] =>
  (getCookie(c, COOKIE) ?? '')
    .split('.', MAX_ANIMALS)
    .map(parseInt64)
    .filter((id) => id !== undefined);

export function rememberJustAdded(c: Context, id: Pet['id']): void {
  const ids = [id, ...readJustAdded(c).filter((other) => other !== id)].slice(0, MAX_ANIMALS);
  setCookie(c, COOKIE, ids.join('.'), { httpOnly: true, sameSite: 'Lax', maxAge: 12 * 60 * 60 });
}
