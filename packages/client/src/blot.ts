/**
 * Takes the API key out of what came from the network: a proxy may tell a client's request back to it, and
 * from an answer or an error the key would get into a log.
 */
import { parseJson, stringifyJson } from '@petstore/contract/json';
import { membersOf } from './members.ts';

// A shorter key is no secret, and would be found in ordinary words.
const SHORTEST_SECRET = 6;

function blotText(text: string, secret: string): string {
  return secret.length < SHORTEST_SECRET ? text : text.replaceAll(secret, '[API key]');
}

/** A copy of header fields. */
export function blotHeaders(headers: Headers, apiKey: string): Headers {
  return new Headers(Array.from(headers, ([name, value]) => [name, blotText(value, apiKey)]));
}

/** A copy of parsed JSON. */
export function blotJson(json: unknown, apiKey: string): unknown {
  // As it came, the key could hide behind escapes. This notation has none but those that it needs.
  return parseJson(blotText(stringifyJson(json), stringifyJson(apiKey).slice(1, -1)));
}

/** A copy of an error's texts, and of its causes: Node keeps the bytes of an answer that is no HTTP beside them. */
export function blotError(error: unknown, apiKey: string, depth = 4): Error {
  const { name, message = String(error), code, stack, cause } = membersOf(error);
  // An error can be its own cause.
  const deeper = cause && depth ? { cause: blotError(cause, apiKey, depth - 1) } : {};
  return Object.assign(new Error('', deeper), blotJson({ name, message, code, stack }, apiKey));
}
