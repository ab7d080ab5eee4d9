import { findIJsonFault, isJsonMediaType, parseJson, sizeLimits } from '@petstore/contract';
import { readBody } from '../http/body.ts';
import type { RequestContext } from '../http/pipeline/request-context.ts';
import { HttpError } from '../http/responses/http-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the body of a request as lossless JSON.
 *
 * @throws HttpError when it is none, or not of the form that the contract describes
 */
export async function readJsonBody(request: RequestContext): Promise<unknown> {
  const bytes = await readBody(request, { isMediaType: isJsonMediaType, maxBytes: sizeLimits.body });
  if (bytes.length === 0) {
    throw new HttpError('invalid_body', 'The body is missing: it must be a JSON object.');
  }
  return parse(decode(bytes));
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HttpError('malformed_json', 'The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new HttpError('malformed_json', 'The body is not well-formed JSON.');
    }
    // The body is nested too deep for the stack: findIJsonFault says so below.
  }
  const fault = findIJsonFault(text);
  if (fault !== undefined) throw new HttpError('invalid_body', `The body ${fault}.`);
  return value;
}
