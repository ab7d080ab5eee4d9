import type { IncomingMessage } from 'node:http';
import type { RequestContext } from './pipeline/request-context.ts';
import { HttpError } from './responses/http-error.ts';

/**
 * Reads the body of a request. Express's own reader would wait for the end of a body that is too large before it
 * responds, and would inflate one that is compressed.
 *
 * @param options.isMediaType whether a Content-Type is one that the operation takes
 * @throws HttpError `unsupported_media_type`, `body_too_large` or `malformed_request`
 */
export function readBody(
  request: RequestContext,
  { isMediaType, maxBytes }: { isMediaType: (type: string) => boolean; maxBytes: number },
): Promise<Buffer> {
  assertMediaType(request.req, isMediaType);
  return readBytes(request, maxBytes);
}

function assertMediaType({ headers }: IncomingMessage, isMediaType: (type: string) => boolean): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpError(
      'unsupported_media_type',
      'The body must not be compressed: leave Content-Encoding out.',
    );
  }
  const type = headers['content-type'];
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (type === undefined ? !isEmpty : !isMediaType(type)) {
    throw new HttpError(
      'unsupported_media_type',
      'The body must be application/json in UTF-8: send that Content-Type.',
    );
  }
}

function readBytes({ req, res, parsed, connection }: RequestContext, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const refuseSize = () => reject(new HttpError('body_too_large', `The body exceeds ${maxBytes} bytes.`));
  if (parsed.bodyError) reject(parsed.bodyError);
  else if (Number(req.headers['content-length']) > maxBytes) refuseSize();
  else {
    // HTTP/1.0 has no interim responses (RFC 9110, 10.1.1).
    if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue();
    parsed.onBodyError = reject;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
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
