import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Responds with a page. It is the user's own, and no cache keeps it without asking again. */
export function sendPage(c: Context, page: JSX.Element, status: ContentfulStatusCode = 200) {
  c.header('Cache-Control', 'private, no-cache');
  return c.html(html`<!doctype html>${page}`, status);
}
