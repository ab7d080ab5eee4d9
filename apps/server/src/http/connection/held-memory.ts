/** A caller that waits for each response holds less, and is not found. */
const SMALLEST_BYTES = 4 * 1024;

/**
 * How much memory each of many holders holds, and all of them together. Finding one that holds most takes the same time
 * however many there are, because that happens in floods: holders are kept by powers of two, and in the order in which
 * they have reached theirs.
 */
export class HeldMemory<Holder> {
  /** Of all holders together. */
  bytes = 0;
  readonly #byPower: Set<Holder>[] = [];

  /** Takes a change of what a holder holds. */
  move(holder: Holder, { from, to }: { from: number; to: number }): void {
    this.bytes += to - from;
    const power = powerOf(from);
    const newPower = powerOf(to);
    if (power === newPower) return;
    if (power > 0) this.#byPower[power]?.delete(holder);
    if (newPower === 0) return;
    this.#byPower[newPower] ??= new Set();
    this.#byPower[newPower].add(holder);
  }

  /** The first of those that hold most, to within a factor of two; `undefined` when all hold little. */
  findLargest(): Holder | undefined {
    for (const holders of this.#byPower.toReversed()) {
      for (const holder of holders ?? []) return holder;
    }
    return undefined;
  }
}

/** The power of two that a number of bytes has reached, in units of the smallest; 0 below it. */
const powerOf = (bytes: number) => 32 - Math.clz32(bytes / SMALLEST_BYTES);
