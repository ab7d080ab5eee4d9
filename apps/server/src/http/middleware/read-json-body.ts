import type { IncomingMessage } from 'node:http';
import { findIJsonFault, isJsonMediaType, parseJson, sizeLimits } from '@petstore/contract';
import { HttpError } from '../http-error.ts';
import type { Middleware, TypedResponse } from '../request-context.ts';

/** With `ignoreBOM` a byte order mark stays in the text, where it is no JSON (RFC 8259, 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON body. `express.json` rounds integers. It and `express.raw` read an oversized body to its end before they
 * respond.
 */
export const readJsonBody: Middleware = async (req, res, next) => {
  assertMediaType(req);
  // `res.req` is `req` with Express's type.
  res.req.body = parse(await readBytes(req, res));
  next();
};

function assertMediaType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpError(
      'unsupported_media_type',
      'The body must not be compressed: leave Content-Encoding out.',
    );
  }
  const type = headers['content-type'];
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  // `parse` reports a missing body.
  if (type === undefined && isEmpty) return;
  if (type === undefined || !isJsonMediaType(type)) {
    throw new HttpError(
      'unsupported_media_type',
      'The body must be application/json in UTF-8: send that Content-Type.',
    );
  }
}

const tooLarge = () => new HttpError('body_too_large', `The body exceeds ${sizeLimits.body} bytes.`);

function readBytes(req: IncomingMessage, res: TypedResponse): Promise<Buffer> {
  if (Number(req.headers['content-length']) > sizeLimits.body) throw tooLarge();
  // The server takes `checkContinue`, so Node sends none. HTTP/1.0 has no interim responses (RFC 9110, 10.1.1).
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= sizeLimits.body) return;
    chunks.length = 0;
    req.pause();
    reject(tooLarge());
  });
  req.on('end', () => resolve(Buffer.concat(chunks)));
  res.locals.connection.resumeForBody(req, reject);
  return promise;
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) {
    throw new HttpError('invalid_body', 'The body is missing: it must be a JSON object.');
  }
  let text = '';
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = parseJson(text);
  } catch (error) {
    if (error instanceof TypeError) throw new HttpError('malformed_json', 'The body is not UTF-8.');
    if (error instanceof SyntaxError) {
      throw new HttpError('malformed_json', 'The body is not well-formed JSON.');
    }
    throw error;
  }
  const fault = findIJsonFault(text);
  if (fault !== undefined) throw new HttpError('invalid_body', `The body ${fault}.`);
  return value;
}
