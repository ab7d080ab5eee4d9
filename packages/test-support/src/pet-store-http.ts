import { ErrorBody } from '@petstore/contract';
import { bearer, type RawResponse, requestHead } from './raw-http.ts';

/** The head of a creation, with these headers at its end. */
export const creationHead = (apiKey: string, ...headers: string[]) =>
  requestHead('POST /v1/pets', bearer(apiKey), 'Content-Type: application/json', ...headers);

/** A creation with its body, whose characters are bytes: `sendRaw` writes Latin-1. */
export const creationBytes = (apiKey: string, body = '{"name":"a","categoryId":1}') =>
  creationHead(apiKey, `Content-Length: ${body.length}`) + body;

/**
 * Reads the Error body of a response.
 * @throws Error when there is no response, or its body is not an Error with the same status and a message of words
 */
export function parseError(response: RawResponse | undefined): ErrorBody {
  if (response === undefined) throw new Error('There is no response');
  const { status, headers, body } = response;
  const contentType = headers.get('content-type');
  if (contentType !== 'application/json')
    throw new Error(`An error must be application/json, not ${contentType}: ${body}`);
  const error = ErrorBody.parse(JSON.parse(body));
  if (error.status !== status) throw new Error(`The status in the body must be ${status}: ${body}`);
  if (!/^\w/.test(error.message)) throw new Error(`The message must begin with a word: ${body}`);
  return error;
}
