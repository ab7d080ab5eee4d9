/** Bodies of this interface are at most two levels deep. */
const MAX_DEPTH = 32;

// The characters between two escapes go in one run: long texts are common, and this is read for every body.
const TOKEN = /[{}[\]]|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;

/**
 * Finds what RFC 8259 allows in JSON and I-JSON (RFC 7493) does not, because readers disagree on it: a
 * member name that stands twice in an object. Also `__proto__` as a name, and nesting without reason.
 *
 * @param text well-formed JSON
 * @returns what is wrong, to stand after "The body", or `undefined`
 */
export function findIJsonFault(text: string): string | undefined {
  const open: Set<string>[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token, literal = '', colon] = match;
    if (token === '{' || token === '[') {
      if (open.push(new Set()) > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const name = nameOf(literal);
      if (name === '__proto__') return 'has a member __proto__';
      const names = open.at(-1);
      if (names?.has(name)) return `has the member ${JSON.stringify(name)} twice`;
      names?.add(name);
    }
  }
  return undefined;
}

/** Two notations of a name, with escapes and without, are the same name. */
const nameOf = (literal: string) => (literal.includes('\\') ? String(JSON.parse(`"${literal}"`)) : literal);
