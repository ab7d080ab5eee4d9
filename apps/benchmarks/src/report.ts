/** The middle value; NaN if there is none, and of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** How far the values lie apart, from the lowest to the highest, as a part of their median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values);

const integers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const formatCount = (value: number): string => integers.format(value);

/** The figures of several servers: a column for each thing that is measured, a value for each round. */
export class Figures {
  readonly title: string;
  readonly #isLessBetter: boolean;
  readonly #servers = new Map<string, Map<string, number[]>>();

  constructor(title: string, { isLessBetter = false } = {}) {
    this.title = title;
    this.#isLessBetter = isLessBetter;
  }

  add(server: string, column: string, value: number): void {
    const columns = this.#servers.get(server) ?? new Map<string, number[]>();
    this.#servers.set(server, columns);
    columns.set(column, [...(columns.get(column) ?? []), value]);
  }

  get servers(): string[] {
    return [...this.#servers.keys()];
  }

  get columns(): string[] {
    const [ours] = this.#servers.values();
    return [...(ours?.keys() ?? [])];
  }

  /** The median over the rounds. */
  median(server: string, column: string): number {
    return median(this.#servers.get(server)?.get(column) ?? []);
  }

  /**
   * A Markdown table of the medians. Behind each stands how many times as good the first server is: 2.00× is twice
   * the requests, or half the time. The last line has the largest spread over the rounds.
   */
  format(): string {
    const [ours = ''] = this.servers;
    const cellOf = (server: string, column: string) => {
      const value = this.median(server, column);
      if (server === ours) return formatCount(value);
      const ratio = this.median(ours, column) / value;
      return `${formatCount(value)} (${(this.#isLessBetter ? 1 / ratio : ratio).toFixed(2)}×)`;
    };
    const spreadOf = (column: string) =>
      Math.max(...this.servers.map((server) => spread(this.#servers.get(server)?.get(column) ?? [])));
    return [
      line([this.title, ...this.columns]),
      line(['---', ...this.columns.map(() => '---:')]),
      ...this.servers.map((server) =>
        line([server, ...this.columns.map((column) => cellOf(server, column))]),
      ),
      line(['*spread, at most*', ...this.columns.map((column) => `${Math.round(100 * spreadOf(column))} %`)]),
    ].join('\n');
  }
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
