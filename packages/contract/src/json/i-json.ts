/** Levels of nesting that a body may have. Those of this interface have two. */
const MAX_DEPTH = 32;

// One match consumes all characters between two escapes: names can be long, and every body is scanned.
const TOKEN = /[{}[\]]|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;

/**
 * Finds what JSON (RFC 8259) allows and I-JSON (RFC 7493) does not, because parsers disagree on it: a member
 * name that occurs twice in an object. Also finds `__proto__` as a name, and nesting that is too deep.
 *
 * @param text well-formed JSON
 * @returns what is wrong, to follow the words "The body", or `undefined`
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

/** The name that a literal denotes: with escapes and without, it is the same name. */
const nameOf = (literal: string) => (literal.includes('\\') ? String(JSON.parse(`"${literal}"`)) : literal);
