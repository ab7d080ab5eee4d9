import { median, spread } from './statistics.ts';
import { formatPercent, formatRatio, type Table } from './table.ts';

/** The figures of one server: for each column one value a round. */
export interface Figures {
  name: string;
  values: ReadonlyMap<string, number[]>;
}

/** How many times as good ours is. */
const RATIOS = {
  'more is better': (ours: number, theirs: number) => ours / theirs,
  'less is better': (ours: number, theirs: number) => theirs / ours,
};

/**
 * A table of medians, of ratios to the first server (2.00× says that the first server is twice as good),
 * and of the spread over the rounds.
 */
export function compare(
  title: string,
  servers: readonly Figures[],
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

/** Collects the figures of servers, round by round. */
export class Measurements {
  readonly #servers = new Map<string, Map<string, number[]>>();

  add(server: string, heading: string, value: number): void {
    const headings = this.#servers.get(server) ?? new Map<string, number[]>();
    this.#servers.set(server, headings);
    headings.set(heading, [...(headings.get(heading) ?? []), value]);
  }

  /** The figures of these servers, in this order. */
  of(servers: readonly { name: string }[]): Figures[] {
    return servers.map(({ name }) => ({ name, values: this.#servers.get(name) ?? new Map() }));
  }
}
