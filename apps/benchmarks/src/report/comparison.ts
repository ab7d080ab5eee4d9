import { median, spread } from './statistics.ts';
import { formatPercent, formatRatio, type Table } from './table.ts';

/** What one server was measured at, per column, a value a round. */
export interface Measurements {
  name: string;
  values: ReadonlyMap<string, number[]>;
}

/** How the ratio to the first server is told: by how much that one is the faster, or the smaller. */
const RATIOS = {
  'more is better': (ours: number, theirs: number) => ours / theirs,
  'less is better': (ours: number, theirs: number) => theirs / ours,
};

/**
 * A table of medians, of their ratios to the first server's (2.00× says that the first server is twice
 * as good), and of the spread over the rounds.
 */
export function compare(
  title: string,
  servers: readonly Measurements[],
  better: keyof typeof RATIOS,
  format: (value: number) => string,
): Table {
  const [ours] = servers;
  const headings = [...(ours?.values.keys() ?? [])];
  return {
    title,
    columns: ['', ...headings.flatMap((heading) => [heading, 'ours is', 'spread'])],
    rows: servers.map(({ name, values }) => [
      name,
      ...headings.flatMap((heading) => {
        const theirs = values.get(heading) ?? [];
        const ratio = RATIOS[better](median(ours?.values.get(heading) ?? []), median(theirs));
        return [format(median(theirs)), formatRatio(ratio), formatPercent(spread(theirs))];
      }),
    ]),
  };
}

/** Collects what servers are measured at, round by round. */
export class Collection {
  readonly #servers = new Map<string, Map<string, number[]>>();

  add(server: string, heading: string, value: number): void {
    const headings = this.#servers.get(server) ?? new Map<string, number[]>();
    this.#servers.set(server, headings);
    headings.set(heading, [...(headings.get(heading) ?? []), value]);
  }

  /** What was measured, in the order of these names. */
  of(names: readonly string[]): Measurements[] {
    return names.map((name) => ({ name, values: this.#servers.get(name) ?? new Map() }));
  }
}
