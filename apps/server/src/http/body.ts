import type { IncomingMessage } from 'node:http';
import { findIJsonFault, isJsonMediaType, parseJson } from '@petstore/contract';
import type { RequestHandler } from 'express';
import { HttpError } from './http-error.ts';
import { limits } from './limits.ts';
import type { RequestContext } from './pipeline.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the body as lossless JSON into `req.body`. Express's own reader would wait for the end of a body
 * that is too large before it responds, and would inflate one that is compressed.
 */
export const readJsonBody: RequestHandler = async (req, res, next) => {
  assertMediaType(req);
  const { request } = res.locals;
  const bytes = await readBytes(request);
  request.span?.startValidation();
  if (bytes.length === 0)
    throw new HttpError('invalid_body', 'The body is missing: it must be a JSON object.');
  req.body = parse(decode(bytes));
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
  if (type === undefined ? !isEmpty : !isJsonMediaType(type)) {
    throw new HttpError(
      'unsupported_media_type',
      'The body must be application/json in UTF-8: send that Content-Type.',
    );
  }
}

function readBytes({ req, res, parsed, connection }: RequestContext): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const refuseSize = () =>
    reject(new HttpError('body_too_large', `The body exceeds ${limits.bodyBytes} bytes.`));
  if (parsed.bodyError) reject(parsed.bodyError);
  else if (Number(req.headers['content-length']) > limits.bodyBytes) refuseSize();
  else {
    // HTTP/1.0 has no interim responses (RFC 9110, 10.1.1).
    if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue();
    parsed.onBodyError = reject;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limits.bodyBytes) {
        connection.hold(chunk.length);
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      refuseSize();
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', () => reject(new HttpError('malformed_request', 'The body ended too early.')));
  }
  return promise;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HttpError('malformed_json', 'The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    const value = parseJson(text);
    const fault = findIJsonFault(text);
    if (fault !== undefined) throw new HttpError('malformed_json', `The body ${fault}.`);
    return value;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError('malformed_json', 'The body is not well-formed JSON.');
  }
}
