import { PREFIX } from './api-key.ts';

/** Matches a character that is percent-encoded, once or several times: `%5f`, `%255f`. */
const encoded = (hex: string) => `%(?:25)*${hex}`;
/** Matches a text in which any character may be percent-encoded. */
const encodable = (text: string) =>
  Array.from(text, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    return `(?:\\u{${hex}}|${encoded(hex)})`;
  }).join('');
const ISSUED = `${encodable(PREFIX)}(?:\\w|${encoded('[\\da-f]{2}')})+`;

/** Creates a function that redacts known keys, and complete or truncated keys of the issued form. */
export function createRedactor(knownKeys: readonly string[] = []): (text: string) => string {
  // The longest key first: the issued form, or another key, may match only its beginning.
  const known = knownKeys.toSorted((one, other) => other.length - one.length).map(encodable);
  const inText = new RegExp([...known, ISSUED].join('|'), 'giu');
  return (text) => text.replace(inText, `${PREFIX}REDACTED`);
}
