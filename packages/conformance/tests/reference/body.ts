import { findIJsonFault, NewPet, parseJson, sizeLimits } from '@petstore/contract';
import { Refusal } from './answers.ts';

/** Reads the body of createPet. @throws Refusal when it is no NewPet */
export async function readNewPet(request: Request): Promise<NewPet> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refusal('unsupported_media_type');
  if (request.headers.has('content-encoding')) throw new Refusal('unsupported_media_type');
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > sizeLimits.body) throw new Refusal('body_too_large');
  const { data } = NewPet.safeParse(parse(decode(bytes)));
  if (data === undefined) throw new Refusal('invalid_body');
  return data;
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('malformed_json');
  }
}

function parse(text: string): unknown {
  try {
    const value = parseJson(text);
    if (findIJsonFault(text) === undefined) return value;
  } catch {}
  throw new Refusal('malformed_json');
}
