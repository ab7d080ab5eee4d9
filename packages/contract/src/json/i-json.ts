/** Levels of nesting that a body may have. Request bodies of this interface have one. */
export const MAX_DEPTH = 32;

/**
 * A bracket, or a string with the colon after it if it is a member name. `[^"\\]*` takes all characters between two
 * escapes at once: one by one, a long string would be slow.
 */
const BRACKET_OR_STRING = /[{}[\]]|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;

/**
 * Finds a member name that occurs twice in an object: JSON (RFC 8259) allows it, I-JSON (RFC 7493) does not, because
 * parsers disagree on it. Also finds the name `__proto__` (prototype pollution), and nesting that is too deep.
 * @param text well-formed JSON
 * @returns the fault, as the end of a sentence that begins with "The body", or `undefined`
 */
export function findIJsonFault(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, literal = '', colon] of text.matchAll(BRACKET_OR_STRING)) {
    if (token === '{' || token === '[') {
      open.push(new Set());
      if (open.length > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const name = literal.includes('\\') ? String(JSON.parse(`"${literal}"`)) : literal;
      if (name === '__proto__') return 'has a member __proto__';
      const names = open.at(-1);
      if (names?.has(name)) return `has the member ${JSON.stringify(name)} twice`;
      names?.add(name);
    }
  }
  return undefined;
}
