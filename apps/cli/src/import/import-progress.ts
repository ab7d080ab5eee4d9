import { formatDuration } from '../terminal.ts';
import type { Lines } from './lines.ts';

/** Counts the lines of an import, for its user. */
export class ImportProgress {
  /** Lines that were begun. */
  taken = 0;
  readonly done = { added: 0, replayed: 0, refused: 0 };
  readonly #lines: Pick<Lines, 'position' | 'size'>;
  readonly #start = performance.now();

  constructor(lines: Pick<Lines, 'position' | 'size'>) {
    this.#lines = lines;
  }

  /** As in `12,000 lines, 34 %, 2 min left`. */
  describe(): string {
    const { position, size } = this.#lines;
    const text = `${this.#count.toLocaleString('en')} lines`;
    // Some of the lines that were read still wait for their response.
    const share = (position / size) * (this.#count / this.taken);
    // The size of standard input is unknown, and a file may grow.
    if (!(share > 0 && share <= 1)) return `${text}, ${(position / 1e6).toFixed(1)} MB`;
    const leftMs = ((performance.now() - this.#start) / share) * (1 - share);
    return `${text}, ${Math.floor(share * 100)} %, ${formatDuration(leftMs)} left`;
  }

  /** Says how to go on after an interruption. */
  describeRest(): string {
    return `${this.#count} lines are done: run the same command again within a day to go on. It adds no line twice`;
  }

  get #count(): number {
    const { added, replayed, refused } = this.done;
    return added + replayed + refused;
  }
}
