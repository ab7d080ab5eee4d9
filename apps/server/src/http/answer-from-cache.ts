import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { logAnswer } from './access-log.ts';
import type { AnswerCache, KeptAnswer } from './answer-cache.ts';
import { findBearerToken } from './authenticate.ts';
import { namesEntityTag } from './entity-tag.ts';
import { findProtocolFault } from './protocol.ts';
import { requestIdOf } from './request-id.ts';

/**
 * Puts the cache before the app: a GET whose answer is kept and still true gets it without a way through
 * Express, under the same checks. Whatever is out of the ordinary about a request goes to the app, which
 * alone refuses, and whose answers are the ones that are kept.
 */
export function answerFromCache(
  { keyRing, database, logger }: Pick<Context, 'keyRing' | 'database' | 'logger'>,
  cache: AnswerCache,
  app: RequestListener,
): RequestListener {
  return (req, res) => {
    const start = performance.now();
    const kept = isPlainGet(req) ? cache.find(req.url ?? '') : undefined;
    const keyName = kept && keyRing.findTrusted(findBearerToken(req) ?? '');
    if (kept === undefined || keyName === undefined) return app(req, res);

    const { validity, route } = kept;
    const give = () => {
      const requestId = requestIdOf(req);
      res.once('close', () => logAnswer(logger, { requestId, start, req, res, route, keyName }));
      send(kept, requestId, req, res);
    };
    if (validity === 'always') return give();
    const instead = () => app(req, res);
    database.version().then((version) => (version === validity ? give() : instead()), instead);
  };
}

/** A page of another origin gets fields of its own. */
const isPlainGet = (req: IncomingMessage) =>
  req.method === 'GET' && req.headers.origin === undefined && findProtocolFault(req) === undefined;

function send(
  { head, body, etag }: KeptAnswer,
  requestId: string,
  req: IncomingMessage,
  res: ServerResponse,
) {
  const fields = [...head, 'X-Request-Id', requestId];
  if (namesEntityTag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, fields).end();
    return;
  }
  fields.push('Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(200, fields).end(body);
}
