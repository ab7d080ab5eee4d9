/**
 * A model of how servers create, repeat and read on one PostgreSQL: what there is, and the rules of the design.
 * `protocol.ts` has the steps, `explore.ts` tries them in every order.
 *
 * What it proves: in every order of the steps written down, for three servers, up to four creations and one fault, no
 * pet is skipped, doubled or lost, no id is used twice, no key leads to another pet, and no server goes back; and each
 * rule is needed. What it does not prove: that PostgreSQL follows the rules that the model gives it (locks, snapshots,
 * unique keys, foreign keys, sequences outside of transactions), that the SQL of `src/database/postgres` is these steps
 * (the tests with real servers do), and anything about more servers or faults, several pages, durations, rows that other
 * programs load, or failovers that lose commits.
 */

/** The rules of the design. The model shows what each of them is for: without it a promise breaks. */
export const design = {
  /** An append takes the lock before it takes ids. */
  takesLock: true,
  /** The lock is held until the commit is visible. */
  holdsLockToCommit: true,
  /** What an append looks up is what is committed when it has the lock, not when its message came. */
  looksUnderLock: true,
  /** Ids follow the highest one that is there. Otherwise each server has a cache of the sequence. */
  idsFollowHighest: true,
  /** Ids follow the last one of the sequence, which no transaction takes back, nor the removal of a pet. */
  idsFollowSequence: true,
  /** A pet and its record are committed together. */
  recordsWithPet: true,
  /** After a lost connection only a creation with a key is repeated. */
  repeatsOnlyKeyed: true,
  /** The record of a pet is removed with it. */
  removalFreesKey: true,
  /** A server takes no connection to a history behind one that it has seen. */
  refusesToGoBack: true,
};
export type Rules = typeof design;

export type Task = { create: string; key?: string } | 'read';

/** What a database server holds: the primary, and those that were primaries before. */
export interface History {
  pets: { id: number; of: string }[];
  /** The id by key. */
  records: Record<string, number>;
  /** The last id of the sequence. No transaction takes it back. */
  issued: number;
}

/** The work of the primary for one message. It goes on when the server that sent the message is gone. */
export interface Append {
  /** The index of the server, or -1 when that is gone. */
  server: number;
  of: string;
  key?: string | undefined;
  at: 'arrived' | 'locked' | 'written' | 'half' | 'committed';
  /** What was visible when the message came. */
  snapshot: { highest: number; issued: number; records: Record<string, number> };
  id: number;
  adds: boolean;
}

export interface Server {
  /** How many of its tasks are done. */
  done: number;
  /** The newest history that it has seen. */
  seen: number;
  /** Every pet that it has shown or acknowledged: its responses never lack one later, unless it was removed. */
  shown: number[];
  /** Ids of its cache of the sequence: the next, and the last. */
  block: [number, number];
  /** A reader that follows the pages through this server: how far it is, and what it got. */
  cursor: number;
  got: number[];
}

export interface World {
  /** The last one is that of the primary. */
  histories: History[];
  appends: Append[];
  /** Who holds the lock. */
  lock: string;
  servers: Server[];
  acknowledged: Record<string, number>;
  /** The pet that an operator has removed. */
  removed: { id: number; of: string } | undefined;
  /** Faults that may still happen. */
  faults: number;
}

export interface Scenario {
  /** What each server is asked for, in order. */
  tasks: Task[][];
  faults?: number;
  removes?: boolean;
}

export const union = (one: number[], other: number[]) =>
  [...new Set([...one, ...other])].toSorted((a, b) => a - b);
export const newServer = (): Server => ({ done: 0, seen: 0, shown: [], block: [0, -1], cursor: 0, got: [] });
export const idsOf = (history: History) => history.pets.map(({ id }) => id);
export const highestOf = (history: History) => Math.max(0, ...idsOf(history));

/** The last of a list that is never empty. */
export function last<Item>(list: readonly Item[]): Item {
  const item = list.at(-1);
  if (item === undefined) throw new Error('The list is empty');
  return item;
}

/** What stands at a place that exists. */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`Nothing stands at ${index}`);
  return item;
}
