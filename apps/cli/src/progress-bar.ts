import { style } from './terminal.ts';

const REDRAW_MS = 200;
const BAR_WIDTH = 20;
/** The rate is that of about the last this many milliseconds. */
const RATE_MS = 5_000;

export interface Progress {
  /** How much is done, as a share of the whole; `undefined` when the whole is unknown. */
  share: number | undefined;
  count: number;
  /** What else to say. */
  note: string;
}

/** A line at the bottom of a terminal that says how far a command is. */
export class ProgressBar implements Disposable {
  readonly #stream: NodeJS.WriteStream;
  readonly #timer: NodeJS.Timeout;
  readonly #read: () => Progress;
  #last: { at: number; count: number; share: number };
  #rates = { count: 0, share: 0 };
  #weight = 0;

  /** @param read what to show, called for each redraw */
  constructor(read: () => Progress, stream: NodeJS.WriteStream = process.stderr) {
    this.#read = read;
    this.#stream = stream;
    const { count, share = 0 } = read();
    this.#last = { at: performance.now(), count, share };
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
  }

  #draw(): void {
    const { share, count, note } = this.#read();
    this.#measure(count, share ?? 0);
    const parts = [
      `${count.toLocaleString('en')} pets`,
      `${Math.round(this.#rates.count).toLocaleString('en')}/s`,
    ];
    if (share !== undefined) {
      const filled = Math.round(Math.min(1, share) * BAR_WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
      parts.unshift(`${style('green', bar, this.#stream)} ${Math.floor(share * 100)} %`);
      if (this.#rates.share > 0) parts.push(`${formatDuration((1 - share) / this.#rates.share)} left`);
    }
    if (note) parts.push(note);
    this.#stream.write(`\r${parts.join('  ')}\u001b[K`);
  }

  /** An exponential average, which does not jump from one redraw to the next. */
  #measure(count: number, share: number): void {
    const at = performance.now();
    const seconds = (at - this.#last.at) / 1000;
    if (seconds <= 0) return;
    const keep = Math.exp((-seconds * 1000) / RATE_MS);
    this.#weight = this.#weight * keep + (1 - keep);
    const average = (old: number, now: number) => old + (1 - keep) * ((now / seconds - old) / this.#weight);
    this.#rates = {
      count: average(this.#rates.count, count - this.#last.count),
      share: average(this.#rates.share, share - this.#last.share),
    };
    this.#last = { at, count, share };
  }

  /** Removes the line. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#stream.write('\r\u001b[K');
  }
}

/** @param seconds such as 3725, which is `1:02:05` */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const padded = (value: number) => `${value}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}
