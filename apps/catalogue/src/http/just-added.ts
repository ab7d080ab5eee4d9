import type { Pet } from '@petstore/client';
import { parseInt64 } from '@petstore/contract';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { animalPath } from '../paths.ts';

/**
 * The pet store lists the newest animals last, and cannot be asked for its last page. So this cookie holds the numbers
 * of animals that the browser has added, and the list shows these animals first.
 */
const COOKIE = 'just-added';
const MAX_ANIMALS = 8;
/** A working day, in seconds. */
const MAX_AGE = 12 * 60 * 60;

/** This cookie holds the notice on the page of an animal, once: a URL would repeat it in every bookmark. */
const NOTICE = 'notice';
/** The animal's page may fail at first: the notice outlasts a short outage of the pet store. */
const NOTICE_SECONDS = 300;

const options = { httpOnly: true, sameSite: 'Lax' } as const;

/** @returns the numbers of the animals that this browser has added, the newest first */
export const readJustAdded = (c: Context): Pet['id'][] =>
  (getCookie(c, COOKIE) ?? '')
    .split('.', MAX_ANIMALS)
    .map(parseInt64)
    .filter((id) => id !== undefined);

/** @param notice whether the submitted form added the animal now, or has done so before */
export function rememberJustAdded(c: Context, id: Pet['id'], notice: 'now' | 'before'): void {
  const ids = [id, ...readJustAdded(c).filter((other) => other !== id)].slice(0, MAX_ANIMALS);
  setCookie(c, COOKIE, ids.join('.'), { ...options, maxAge: MAX_AGE });
  setCookie(c, NOTICE, notice, { ...options, path: animalPath(id), maxAge: NOTICE_SECONDS });
}

/** @returns the notice for the page of an animal, which the next request does not get */
export function takeNotice(c: Context, id: Pet['id']): string | undefined {
  const notice = getCookie(c, NOTICE);
  if (notice !== undefined) deleteCookie(c, NOTICE, { path: animalPath(id) });
  return notice;
}
