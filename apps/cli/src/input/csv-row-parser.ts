// What a field in quotes has up to the quote that closes it, and what another field has. Both match at a position.
const QUOTED = /[^"]*(?:""[^"]*)*/y;
const PLAIN = /[^",\r]*(?:\r(?!$)[^",\r]*)*/y;

/**
 * A row of CSV (RFC 4180), parsed line by line: a field in quotes may contain line breaks. Each line is looked at
 * once, so that the time is in proportion to the length, however many lines a row has.
 */
export class CsvRowParser {
  readonly fields: string[] = [];
  /** The number of the line in which the last quote opens. */
  quoteLine: number | undefined;
  /** What the quotes contain that are still open. */
  #open: string | undefined;

  /** Whether the next line belongs to this row, too. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Parses the next line of the row.
   *
   * @param text without its line feed. A carriage return at its end is one of the line break, unless it is in quotes
   * @returns what is not well-formed, or `undefined`
   */
  parseLine(text: string, line: number): string | undefined {
    for (let at = 0; ; at += 1) {
      if (!this.isOpen && text[at] === '"') {
        this.#open = '';
        this.quoteLine = line;
        at += 1;
      }
      const isQuoted = this.isOpen;
      at = isQuoted ? this.#parseQuoted(text, at) : this.#parsePlain(text, at);
      if (this.isOpen || at === text.length || (at === text.length - 1 && text[at] === '\r'))
        return undefined;
      if (text[at] === ',') continue;
      return isQuoted
        ? `The quote that opens in line ${this.quoteLine} is closed in line ${line} before the end of its field`
        : `A field in line ${line} has a quote and does not begin with one: write it in quotes, and its quotes twice`;
    }
  }

  /** @returns where the field ends */
  #parsePlain(text: string, start: number): number {
    const field = matchAt(PLAIN, text, start);
    this.fields.push(field);
    return start + field.length;
  }

  /** @returns where the field ends, or the line */
  #parseQuoted(text: string, start: number): number {
    const matched = matchAt(QUOTED, text, start);
    const content = this.#open + matched.replaceAll('""', '"');
    const end = start + matched.length;
    this.#open = end === text.length ? `${content}\n` : undefined;
    if (this.isOpen) return end;
    this.fields.push(content);
    return end + 1;
  }
}

function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}
