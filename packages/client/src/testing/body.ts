import { NewPet, parseJson } from '@petstore/contract';
import { Refusal } from './refusal.ts';

const MAX_BYTES = 64 * 1024;

/** Reads the body of createPet. @throws Refusal when it is no NewPet */
export async function readNewPet(request: Request): Promise<{ pet: NewPet; text: string }> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type');
  }
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BYTES) throw new Refusal('body_too_large');
  const { text, value } = parse(bytes);
  const { data } = NewPet.safeParse(value);
  if (data === undefined) throw new Refusal('invalid_body');
  return { pet: data, text };
}

function parse(bytes: ArrayBuffer): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = parseJson(text);
    if (!repeatsMember(text)) return { text, value };
  } catch {}
  throw new Refusal('malformed_json');
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/** Whether an object in well-formed JSON has two members of one name. */
function repeatsMember(text: string): boolean {
  const open: Set<string>[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const members = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token === ':') {
      const name = `${JSON.parse(previous)}`;
      if (members?.has(name)) return true;
      members?.add(name);
    }
    previous = token;
  }
  return false;
}
