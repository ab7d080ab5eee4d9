/** Returns NaN without values, and the mean of the two middle values if their number is even. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The distance from the lowest to the highest value, in percent of the median. */
const spread = (values: readonly number[]) =>
  (100 * (Math.max(...values) - Math.min(...values))) / median(values);

const { format: formatCount } = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** The figures of several servers, with a value for each round. */
export class Figures {
  readonly #title: string;
  readonly #isLessBetter: boolean;
  readonly #servers = new Map<string, Map<string, number[]>>();

  constructor(title: string, { isLessBetter = false } = {}) {
    this.#title = title;
    this.#isLessBetter = isLessBetter;
  }

  add(server: string, column: string, value: number): void {
    const columns = this.#servers.get(server) ?? new Map<string, number[]>();
    this.#servers.set(server, columns);
    columns.set(column, [...(columns.get(column) ?? []), value]);
  }

  /**
   * Formats a Markdown table of the medians. A factor shows how much better the first server is: 2.00× is twice the
   * requests, or half the time. The last line has the largest spread over the rounds.
   */
  format(): string {
    const [ours = new Map<string, number[]>()] = this.#servers.values();
    const columns = [...ours.keys()];
    const cellOf = (values: Map<string, number[]>, column: string) => {
      const value = median(values.get(column) ?? []);
      if (values === ours) return formatCount(value);
      const ratio = median(ours.get(column) ?? []) / value;
      return `${formatCount(value)} (${(this.#isLessBetter ? 1 / ratio : ratio).toFixed(2)}×)`;
    };
    const spreadOf = (column: string) =>
      Math.max(...Array.from(this.#servers.values(), (values) => spread(values.get(column) ?? [])));
    return [
      line([this.#title, ...columns]),
      line(['---', ...columns.map(() => '---:')]),
      ...Array.from(this.#servers, ([server, values]) =>
        line([server, ...columns.map((column) => cellOf(values, column))]),
      ),
      line(['*spread, at most*', ...columns.map((column) => `${Math.round(spreadOf(column))} %`)]),
    ].join('\n');
  }
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
