import { findIJsonFault, NewPet, parseJson } from '@petstore/contract';
import { Refusal } from './answers.ts';

const LIMIT = 64 * 1024;

/** Reads the body of createPet. @throws Refusal when it is no NewPet */
export async function readNewPet(request: Request): Promise<{ text: string; newPet: NewPet }> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refusal('unsupported_media_type');
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > LIMIT) throw new Refusal('body_too_large');
  const text = decode(bytes);
  const { data } = NewPet.safeParse(parse(text));
  if (data === undefined) throw new Refusal('invalid_body');
  return { text, newPet: data };
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
