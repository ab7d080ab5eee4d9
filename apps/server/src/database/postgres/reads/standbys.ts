import type { Parameters, Query, Values } from '../../query.ts';
import type { PostgresPool } from '../connections/pool.ts';
import { PostgresReader } from './reader.ts';
import { hasReached, type PostgresVersion, standbyVersions } from './version.ts';

/** How long a standby is left out that was behind or away: twice as long each time in a row. */
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** A standby, as metrics see it. */
interface StandbyState {
  readonly name: string;
  /** Seconds since it was last known to have all that the primary had. */
  readonly lagSeconds: number;
}

interface Standby {
  readonly name: string;
  readonly reader: PostgresReader<PostgresVersion>;
  pauseMs: number;
  usableAt: number;
  reachedAt: number;
}

/** Reads from hot standbys that have reached a version of the primary. */
export class Standbys implements AsyncDisposable {
  readonly #standbys: readonly Standby[];
  #next = 0;

  /** @param pools one for each standby, by its name */
  constructor(pools: ReadonlyMap<string, PostgresPool>, table: string) {
    this.#standbys = Array.from(pools, ([name, pool]) => ({
      name,
      reader: new PostgresReader(pool, standbyVersions(table)),
      pauseMs: SHORTEST_PAUSE_MS,
      usableAt: 0,
      reachedAt: performance.now(),
    }));
  }

  get states(): StandbyState[] {
    const now = performance.now();
    return this.#standbys.map(({ name, reachedAt }) => ({ name, lagSeconds: (now - reachedAt) / 1000 }));
  }

  /** @returns rows that include all of the version; `undefined` when no standby has them at once */
  async read<Named extends Parameters, Row>(
    query: Query<Named, Row>,
    values: Values<Named>,
    version: PostgresVersion,
  ): Promise<Row[] | undefined> {
    const standby = this.#choose();
    if (standby === undefined) return undefined;
    try {
      const read = await standby.reader.read(query, values);
      if (hasReached(read.version, version)) {
        standby.pauseMs = SHORTEST_PAUSE_MS;
        standby.reachedAt = performance.now();
        return read.value;
      }
    } catch {
      // The primary responds in its place.
    }
    standby.usableAt = performance.now() + standby.pauseMs;
    standby.pauseMs = Math.min(2 * standby.pauseMs, LONGEST_PAUSE_MS);
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#standbys.map(({ reader }) => reader.pool.end()));
  }

  /** The next one in turn of those that are not left out. */
  #choose(): Standby | undefined {
    const now = performance.now();
    for (let tried = 0; tried < this.#standbys.length; tried += 1) {
      this.#next = (this.#next + 1) % this.#standbys.length;
      const standby = this.#standbys[this.#next];
      if (standby !== undefined && now >= standby.usableAt) return standby;
    }
    return undefined;
  }
}
