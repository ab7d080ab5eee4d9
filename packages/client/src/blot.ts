/**
 * Takes the API key out of what came from the network: a proxy may tell a client's request back to it, and
 * from an answer or an error the key would get into a log.
 */

// A shorter key is no secret, and would be found in ordinary words.
const SHORTEST_SECRET = 6;

export function blotText(text: string, apiKey: string): string {
  return apiKey.length < SHORTEST_SECRET ? text : text.replaceAll(apiKey, '[API key]');
}

/** A copy of header fields. */
export function blotHeaders(headers: Headers, apiKey: string): Headers {
  return new Headers(Array.from(headers, ([name, value]) => [name, blotText(value, apiKey)]));
}

/** A copy of parsed JSON: in its text, an escape could hide the key. */
export function blotJson(json: unknown, apiKey: string): unknown {
  if (typeof json === 'string') return blotText(json, apiKey);
  if (Array.isArray(json)) return json.map((item) => blotJson(item, apiKey));
  if (typeof json !== 'object' || json === null) return json;
  const members = Object.entries(json).map(([name, value]) => [
    blotText(name, apiKey),
    blotJson(value, apiKey),
  ]);
  return Object.fromEntries(members);
}

/** A copy of an error's texts, and of its causes: Node keeps the bytes of an answer that is no HTTP beside them. */
export function blotError(error: unknown, apiKey: string, depth = 0): Error {
  const { name, message = String(error), code, stack, cause }: ErrorMembers = Object(error);
  // An error can be its own cause.
  const deeper = cause === undefined || depth > 3 ? {} : { cause: blotError(cause, apiKey, depth + 1) };
  const copy = new Error('', deeper);
  for (const [member, value] of Object.entries({ name, message, code, stack })) {
    if (typeof value === 'string') Reflect.set(copy, member, blotText(value, apiKey));
  }
  return copy;
}

type ErrorMembers = Partial<Record<'name' | 'message' | 'code' | 'stack' | 'cause', unknown>>;
