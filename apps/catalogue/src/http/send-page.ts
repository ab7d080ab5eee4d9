import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Responds with a page, which only the user's browser may cache, and must revalidate. */
export async function sendPage(c: Context, page: JSX.Element, status: ContentfulStatusCode = 200) {
  c.header('Cache-Control', 'private, no-cache');
  const markup = String(await html`<!DOCTYPE html>${page}`);
  // The whole page is searched, because names, categories, users and URLs can contain invisible characters.
  return c.html(showInvisibleCharacters(markup), status);
}

/** Noncharacters, and all control characters except tab and line feed. */
const INVISIBLE = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n]]/gv;

/** Replaces invisible characters by their code points, such as [U+001E]: many fonts lack symbols for them. */
const showInvisibleCharacters = (text: string): string =>
  text.replace(INVISIBLE, (character) => {
    const codePoint = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `[U+${codePoint}]`;
  });
