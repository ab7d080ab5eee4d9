import type { RequestContext } from '../pipeline/request-context.ts';
import { endInPieces, LARGE_BYTES } from './pieces.ts';
import type { Response } from './response.ts';
import { endInBatch } from './response-batch.ts';

/** Sends a response: the only place that writes one to a request. */
export function sendResponse(
  { req, res, connection, headers }: Pick<RequestContext, 'req' | 'res' | 'connection' | 'headers'>,
  response: Response,
): void {
  const { status } = response;
  // A body is cut into pieces as bytes.
  const isLongText = typeof response.body === 'string' && response.body.length > LARGE_BYTES;
  const body = isLongText ? Buffer.from(response.body) : response.body;
  const fields = headers.concat(response.headers);
  if (body !== undefined) fields.push('Content-Length', String(Buffer.byteLength(body)));
  if (connection.isLastResponse()) fields.push('Connection', 'close');
  if (typeof response.body === 'string') connection.hold(response.body.length);
  res.writeHead(status, fields);
  if (Buffer.isBuffer(body) && body.length > LARGE_BYTES && req.method !== 'HEAD') endInPieces(res, body);
  else endInBatch(res, body);
}
