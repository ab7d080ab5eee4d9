import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

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

/** Control characters but tab and line feed, and noncharacters: HTML does not allow them in a page. */
const INVISIBLE = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n]]/gv;

/** Replaces each by its code point, such as [U+001E]. Many fonts lack the symbols that Unicode has for them. */
const showInvisibleCharacters = (text: string): string =>
  text.replace(INVISIBLE, (character) => {
    const codePoint = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `[U+${codePoint}]`;
  });
