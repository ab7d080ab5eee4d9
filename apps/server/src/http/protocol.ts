import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { HttpError } from './http-error.ts';

/** Host and port (RFC 9110, 7.2). Two Host fields arrive joined, with a space between them. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * Finds what Node would let pass, or refuse without an Error body: another HTTP, no Host or more than
 * one (RFC 9112, 3.2), an unknown Expect (RFC 9110, 10.1.1), a transfer coding that nobody would undo.
 */
export function findProtocolFault({ httpVersion, headers }: IncomingMessage): HttpError | undefined {
  if (!httpVersion.startsWith('1.')) {
    return new HttpError('malformed_request', `HTTP/${httpVersion} is not spoken here: HTTP/1.1 is.`);
  }
  const { host, expect } = headers;
  if (host === undefined ? httpVersion !== '1.0' : !HOST.test(host)) {
    return new HttpError('malformed_request', 'The request must carry one Host header.');
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new HttpError('expectation_failed');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new HttpError('malformed_request', 'Transfer-Encoding can be chunked, and nothing else.');
  }
  return undefined;
}

export const checkProtocol: RequestHandler = (req, _res, next) => {
  next(findProtocolFault(req));
};
