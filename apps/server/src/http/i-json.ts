/** Bodies of this interface are at most two levels deep. */
const MAX_DEPTH = 32;

const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/**
 * Finds what RFC 8259 allows in JSON and I-JSON (RFC 7493) does not, because readers disagree on it: a
 * member name that stands twice in an object. Also `__proto__` as a name, and nesting without reason.
 *
 * @param text well-formed JSON
 * @returns what is wrong, or `undefined`
 */
export function findIJsonFault(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (open.push(new Set()) > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const name = nameOf(token.slice(0, -colon.length));
      if (name === '__proto__') return 'has a member __proto__';
      const names = open.at(-1);
      if (names?.has(name)) return `has the member ${JSON.stringify(name)} twice`;
      names?.add(name);
    }
  }
  return undefined;
}

/** Two notations of a name, with escapes and without, are the same name. */
const nameOf = (literal: string) =>
  literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
