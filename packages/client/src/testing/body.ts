import { findIJsonFault, NewPet, parseJson, sizeLimits } from '@petstore/contract';
import { Refusal } from './refusal.ts';

/** Reads the body of createPet. @throws Refusal when it is no NewPet */
export async function readNewPet(request: Request): Promise<NewPet> {
  const { headers } = request;
  const isPlain = (headers.get('content-encoding') ?? 'identity').toLowerCase() === 'identity';
  if (!isPlain || !/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type');
  }
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > sizeLimits.body) throw new Refusal('body_too_large');
  const { data } = NewPet.safeParse(parse(bytes));
  if (data === undefined) throw new Refusal('invalid_body');
  return data;
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = parseJson(text);
    if (findIJsonFault(text) === undefined) return value;
  } catch {}
  throw new Refusal('malformed_json');
}
