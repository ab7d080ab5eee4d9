import { findIJsonFault, isJsonMediaType, parseJson, sizeLimits } from '@petstore/contract';
import { HttpError } from './response.ts';

/** A schema of the contract, of any release of zod. */
interface Schema<Value> {
  safeParse(value: unknown): { data?: Value | undefined };
}

/** Reads the body of a request. @throws HttpError when the schema refuses it */
export async function readBody<Value>(request: Request, schema: Schema<Value>): Promise<Value> {
  const bytes = await request.arrayBuffer();
  const type = request.headers.get('content-type');
  const isPlain = (request.headers.get('content-encoding') ?? 'identity').toLowerCase() === 'identity';
  const isJson = type === null ? bytes.byteLength === 0 : isJsonMediaType(type);
  if (!isPlain || !isJson) throw new HttpError('unsupported_media_type');
  if (bytes.byteLength === 0) throw new HttpError('invalid_body');
  if (bytes.byteLength > sizeLimits.body) throw new HttpError('body_too_large');
  const { text, value } = parse(bytes);
  const { data } = schema.safeParse(value);
  if (data === undefined || findIJsonFault(text) !== undefined) throw new HttpError('invalid_body');
  return data;
}

function parse(bytes: ArrayBuffer): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, value: parseJson(text) };
  } catch {
    throw new HttpError('malformed_json');
  }
}
