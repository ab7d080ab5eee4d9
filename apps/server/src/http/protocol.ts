import type { RequestHandler } from 'express';
import { HttpError } from './http-error.ts';

/** What Node would let pass, or refuse without an Error body: another HTTP, no Host (RFC 9112, 3.2), an unknown Expect (RFC 9110, 10.1.1). */
export const checkProtocol: RequestHandler = (req, _res, next) => {
  if (req.httpVersionMajor !== 1) {
    throw new HttpError('malformed_request', `HTTP/${req.httpVersion} is not spoken here: HTTP/1.1 is.`);
  }
  if (req.httpVersion !== '1.0' && req.headersDistinct.host?.length !== 1) {
    throw new HttpError('malformed_request', 'The request must carry one Host header.');
  }
  if (req.headers.expect !== undefined && req.headers.expect.toLowerCase() !== '100-continue') {
    throw new HttpError('expectation_failed');
  }
  next();
};
