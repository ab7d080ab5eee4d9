/** After this time without a request a key is dropped: it may have been revoked. */
const DROP_AFTER_MS = 24 * 60 * 60 * 1000;

interface Use {
  route: string;
  key: string;
  count: number;
  /** What was read last, and since when it has not changed, on the clock of `performance`. */
  read: number;
  since: number;
}

/** How often each API key was used for each deprecated route. */
export class DeprecatedUse {
  readonly #uses = new Map<string, Use>();

  count(route: string, key: string): void {
    const id = `${route} ${key}`;
    const use = this.#uses.get(id);
    if (use === undefined) this.#uses.set(id, { route, key, count: 1, read: 0, since: 0 });
    else use.count += 1;
  }

  /** The counts, without keys that are no longer used. */
  read(now = performance.now()): Use[] {
    for (const [id, use] of this.#uses) {
      if (use.count !== use.read) {
        use.read = use.count;
        use.since = now;
      } else if (now - use.since > DROP_AFTER_MS) this.#uses.delete(id);
    }
    return [...this.#uses.values()];
  }
}
