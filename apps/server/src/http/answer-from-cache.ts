import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';
import type { Answer, Listener } from './answer.ts';
import { type AnswerCache, isValid, type KeptAnswer } from './answer-cache.ts';
import { findBearerToken } from './authenticate.ts';
import { endTogether } from './end-together.ts';
import { namesEntityTag } from './entity-tag.ts';
import { findProtocolFault } from './protocol.ts';

/**
 * Puts the cache before the app: a GET whose answer is kept and still true gets it without a way through
 * Express, under the same checks. Whatever is out of the ordinary about a request goes to the app, which
 * alone refuses, and whose answers are the ones that are kept.
 */
export function answerFromCache(
  { keyRing, database }: Pick<Context, 'keyRing' | 'database'>,
  cache: AnswerCache,
  app: Listener,
): Listener {
  return (req, res) => {
    const kept = req.method === 'GET' ? cache.find(req.url ?? '') : undefined;
    const keyName = kept && isPlain(req) ? keyRing.findTrusted(findBearerToken(req) ?? '') : undefined;
    if (kept === undefined || keyName === undefined) return app(req, res);

    const { validity, route } = kept;
    const give = () => {
      res.locals.route = route;
      res.locals.keyName = keyName;
      send(kept, req, res);
    };
    const decide = (valid: boolean) => (valid ? give() : app(req, res));
    const valid = isValid(validity, database);
    if (typeof valid === 'boolean') return decide(valid);
    valid.then(decide, () => decide(false));
  };
}

/** A page of another origin gets fields of its own. */
const isPlain = (req: IncomingMessage) =>
  req.headers.origin === undefined && findProtocolFault(req) === undefined;

function send({ head, body, etag }: KeptAnswer, req: IncomingMessage, res: Answer): void {
  const fields = [...head, 'X-Request-Id', res.locals.requestId];
  if (namesEntityTag(req.headers['if-none-match'], etag)) {
    endTogether(res.writeHead(304, fields));
    return;
  }
  fields.push('Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body)));
  endTogether(res.writeHead(200, fields), body);
}
