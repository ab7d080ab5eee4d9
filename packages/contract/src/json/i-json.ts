/** Levels of nesting that a body may have. Bodies of this interface have two. */
export const MAX_DEPTH = 32;

// One match takes all characters between two escapes, because names can be long.
const TOKEN = /[{}[\]]|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;

/**
 * Finds a member name that occurs twice in an object: JSON (RFC 8259) allows it, I-JSON (RFC 7493) does not, because
 * parsers disagree on it. Also finds the name `__proto__`, and nesting that is too deep.
 * @param text well-formed JSON
 * @returns the fault, as the end of a sentence that begins with "The body", or `undefined`
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

const nameOf = (literal: string) => (literal.includes('\\') ? String(JSON.parse(`"${literal}"`)) : literal);
