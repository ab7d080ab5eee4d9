import type { Pet } from '@petstore/client';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { animalPath } from '../paths.ts';

/** The name of the cookie with the notice. A bookmark would repeat a notice in the URL. */
const COOKIE = 'notice';
/** The animal's page may fail at first: the notice outlasts a short outage of the pet store. */
const MAX_AGE_SECONDS = 300;

/** @param notice `replayed` if an earlier click, or an earlier attempt of the client, has added the animal */
export function setNotice(c: Context, id: Pet['id'], notice: 'added' | 'replayed'): void {
  const path = animalPath(id);
  setCookie(c, COOKIE, notice, { httpOnly: true, sameSite: 'Lax', path, maxAge: MAX_AGE_SECONDS });
}

/** Deletes the notice for the page of an animal, and returns it. */
export function takeNotice(c: Context, id: Pet['id']): string | undefined {
  const notice = getCookie(c, COOKIE);
  if (notice !== undefined) deleteCookie(c, COOKIE, { path: animalPath(id) });
  return notice;
}
