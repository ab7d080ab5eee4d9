import { hash } from 'node:crypto';
import { type Route, stringifyJson } from '@petstore/contract';
import type { Response } from 'express';
import type { z } from 'zod';
import { HttpError } from './http-error.ts';
import { type HeaderOf, setHeaders, type TypedResponse } from './request-context.ts';
import { sendJson } from './send-json.ts';

export interface TaggedBody {
  readonly json: string;
  readonly etag: string;
  /** The Link header. */
  readonly link: string | undefined;
}

declare global {
  namespace Express {
    interface Locals {
      /** A body with its JSON text, which `res.json` sends without formatting the body again. */
      formatted?: { readonly value: unknown; readonly json: string };
      /** Caches a list once its JSON is formatted. `ListCache` sets this function for the operations that it caches. */
      keepList?: (list: TaggedBody) => void;
    }
  }
}

/** An operation whose success has an entity tag. */
type TaggedRoute = Route & { responses: { 200: z.core.$ZodType; 304: unknown } };

/**
 * Makes the response of a read: 200 with an entity tag, or 304 when the caller has this body already.
 * `return withEntityTag<typeof pets.getPet>(res, pet)`
 * @param headers further headers that the operation states
 * @throws HttpError `precondition_failed`: 412
 */
export function withEntityTag<Given extends TaggedRoute>(
  res: Response,
  body: z.output<Given['responses'][200]>,
  headers?: { readonly [Name in HeaderOf<Given, 200>]?: string | undefined },
) {
  const json = stringifyJson(body);
  // The type of `headers` depends on the operation, and may have no `Link`.
  const { Link: link }: { readonly Link?: string | undefined } = headers ?? {};
  const etag = entityTagOf(json, link);
  res.locals.formatted = { value: body, json };
  res.locals.keepList?.({ json, etag, link });
  const status = evaluateConditions(res, etag);
  if (headers !== undefined) setHeaders<Given, 200>(res, headers);
  return status === 304 ? { status, body: undefined } : { status, body };
}

/** Sends a JSON text with an entity tag, or 304. Only handlers of ts-rest can use `withEntityTag` instead. */
export function sendTagged(res: TypedResponse, json: string | Buffer, etag: string, link?: string): void {
  const status = evaluateConditions(res, etag);
  // Appended, because a deprecation may have set Link.
  if (link !== undefined) res.append('Link', link);
  if (status === 304) res.status(304).end();
  else sendJson(res, json);
}

/**
 * Evaluates If-Match and If-None-Match (RFC 9110, 13.2.2), and sets the headers of the response: private caches may
 * store it and must revalidate it (RFC 9111, 5.2.2). Express's `req.fresh` does not know If-Match, and ignores
 * If-None-Match beside the `Cache-Control: no-cache` that every fetch adds to a conditional request.
 * @throws HttpError `precondition_failed`
 */
function evaluateConditions(res: TypedResponse, etag: string): 200 | 304 {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = res.req.headers;
  if (ifMatch !== undefined && !hasEntityTag(ifMatch, etag, 'strong'))
    throw new HttpError('precondition_failed');
  res.set('Cache-Control', 'private, no-cache').set('ETag', etag);
  return ifNoneMatch !== undefined && hasEntityTag(ifNoneMatch, etag, 'weak') ? 304 : 200;
}

/** The entity tag of a body and its next link (RFC 9110, 8.8.3): a page that gets a next link has changed. */
export const entityTagOf = (body: string | Buffer, link = '') =>
  `"${hash('sha1', link === '' ? body : body + link, 'base64url')}"`;

/** The entity tags of a list, each with the W/ of a weak one. */
const ENTITY_TAGS = /(W\/)?("[^"]*")/g;

/**
 * Whether If-None-Match or If-Match names an entity tag. By strong comparison a weak tag never matches (RFC 9110,
 * 8.8.3.2).
 */
export function hasEntityTag(header: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ENTITY_TAGS)).some(
    ([, weak, tag]) => tag === etag && (comparison === 'weak' || weak === undefined),
  );
}
