/**
 * Removes the API key from responses and network errors: a proxy may echo a request, and the key would get into a log.
 */
import { parseJson, stringifyJson } from '@petstore/contract/json';
import { propertiesOf } from '../objects.ts';

// A shorter key is no secret, and occurs in ordinary words.
const MIN_SECRET_LENGTH = 6;

// `fetch` nests two errors, behind a proxy three. An error can also be its own cause.
const MAX_CAUSES = 4;

function redactText(text: string, secret: string): string {
  return secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, '[API key]');
}

export function redactHeaders(headers: Headers, apiKey: string): Headers {
  if (![...headers.values()].some((value) => value.includes(apiKey))) return headers;
  return new Headers([...headers].map(([name, value]) => [name, redactText(value, apiKey)]));
}

export function redactJson(json: unknown, apiKey: string): unknown {
  // In the original text, escapes could hide the key. The serialized text has only the necessary escapes.
  return parseJson(redactText(stringifyJson(json), stringifyJson(apiKey).slice(1, -1)));
}

/**
 * Copies the name, message, code and stack of an error and its causes, without the key. Other properties are left out,
 * because Node keeps the bytes of a malformed response in one of them.
 */
export function redactError(error: unknown, apiKey: string, depth = MAX_CAUSES): Error {
  const { name, code, stack, cause } = propertiesOf(error);
  const inner = cause && depth ? { cause: redactError(cause, apiKey, depth - 1) } : {};
  const redacted = redactJson({ name, message: messageOf(error), code, stack }, apiKey);
  return Object.assign(new Error('', inner), redacted);
}

/** The message of an error. For a host with several addresses, Node has an error for each, and no message. */
function messageOf(error: unknown): string {
  const { message = String(error), errors } = propertiesOf(error);
  return String(message || (Array.isArray(errors) ? errors.map(messageOf).join(', ') : ''));
}
