import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { showInvisibleCharacters } from '../invisible-characters.ts';

/** Responds with a page. It is the user's own, and no cache keeps it without asking again. */
export async function sendPage(c: Context, page: JSX.Element, status: ContentfulStatusCode = 200) {
  c.header('Cache-Control', 'private, no-cache');
  if (status === 503) c.header('Retry-After', '3');
  const markup = String(await html`<!DOCTYPE html>${page}`);
  // For all at once: names of animals, categories and users, and what a URL has.
  return c.html(showInvisibleCharacters(writeAsHtml(markup)), status);
}

/** Hono closes elements and states booleans as XML does. Neither is in text: `>` and `"` are escaped there. */
const writeAsHtml = (markup: string) =>
  markup.replaceAll('/>', '>').replaceAll(/ (autofocus|required|selected)=""/g, ' $1');
