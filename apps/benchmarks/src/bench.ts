import { copyFileSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runFolder } from './data/folder.ts';
import { seedSqlite } from './data/seed.ts';

/** What every measurement is given. */
export interface Bench {
  /** How often everything is measured; medians are taken over the rounds. */
  rounds: number;
  /** How long each load lasts; before it, the server is warmed up. */
  seconds: number;
  /** Connections of the load generator. */
  connections: number;
  /** Whether measurements that take many gigabytes or minutes are to be made too. */
  large: boolean;
  /** Animals in the database that every server starts with, and the key that is valid in it. */
  count: number;
  apiKey: string;
  /** A fresh copy of that database, in a folder of its own that goes with it. */
  freshDatabase(): AsyncDisposable & { file: string };
  /** Where a database of another kind can be made. */
  file(name: string): string;
  /** Tells how far it is. */
  say(line: string): void;
}

const ANIMALS = 10_000;

/** Fills the database that all servers start with. */
export function createBench(
  options: Pick<Bench, 'rounds' | 'seconds' | 'connections' | 'large' | 'say'>,
): Bench {
  const { file } = runFolder();
  const original = file('original.db');
  const apiKey = seedSqlite(original, ANIMALS);
  let copies = 0;
  return {
    ...options,
    count: ANIMALS,
    apiKey,
    file,
    freshDatabase() {
      copies += 1;
      const folder = file(`copy-${copies}`);
      const copy = join(folder, 'petstore.db');
      mkdirSync(folder);
      copyFileSync(original, copy);
      return { file: copy, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
    },
  };
}
