import { HttpError } from '../http-error.ts';
import type { Middleware } from '../request-context.ts';

/** Host and port (RFC 9110, 7.2), without a space: `joinDuplicateHeaders` joins two Host headers by a comma and a space. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Refuses faults of HTTP that Node accepts, or refuses without an Error body (RFC 9112, 3.2; RFC 9110, 10.1.1). */
export const checkProtocol: Middleware = ({ httpVersion, headers, refusal, url = '' }, _res, next) => {
  // Set by `refuse` in server.ts, for bytes that Node does not emit as a request.
  if (refusal !== undefined) throw refusal;
  if (!httpVersion.startsWith('1.')) {
    throw new HttpError('malformed_request', `HTTP/${httpVersion} is not supported, only HTTP/1.0 and 1.1.`);
  }
  // Parsers disagree about the text after #. In a target with #, Express also takes `\` for `/`.
  if (url.includes('#')) throw new HttpError('malformed_request', 'The request target must have no #.');
  const { host, expect } = headers;
  const hasValidHost = host === undefined ? httpVersion === '1.0' : HOST.test(host);
  if (!hasValidHost) {
    throw new HttpError('malformed_request', 'The request must have exactly one valid Host header.');
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new HttpError('expectation_failed');
  }
  const coding = headers['transfer-encoding'];
  // A proxy for HTTP/1.0 would take the chunks for further requests, so the connection ends, too (RFC 9112, 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    const message = 'Transfer-Encoding must be chunked, in HTTP/1.1, or absent.';
    throw new HttpError('malformed_request', message, { Connection: 'close' });
  }
  next();
};
