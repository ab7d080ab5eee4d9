import { copyFileSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunFolder } from './data/run-folder.ts';
import { seedSqlite } from './data/seed.ts';
import type { Peer } from './peers.ts';

export interface BenchOptions {
  /** The servers that are measured. The first is what the others are compared with. */
  peers: readonly Peer[];
  /** How often everything is measured; the tables show medians over the rounds. */
  rounds: number;
  /** Requests of each workload that do not count, before those that do. */
  warmUp: number;
  /** How long each workload runs after the warm-up. */
  seconds: number;
  /** Connections of the load generator. */
  connections: number;
  /** Pets in the database with which every server starts. */
  pets: number;
  /** Whether to measure what takes gigabytes or many minutes too. */
  large: boolean;
  /** Reports progress. */
  report(line: string): void;
}

/** What every measurement gets. */
export interface Bench extends BenchOptions {
  /** The key that is valid in the database with which every server starts. */
  apiKey: string;
  /** Copies that database into a folder of its own, which is removed with it. */
  copyDatabase(): AsyncDisposable & { file: string };
  /** A path for a file of another kind. */
  file(name: string): string;
}

/** Fills the database with which all servers start. */
export function createBench(options: BenchOptions): Bench {
  const { file } = createRunFolder();
  const original = file('original.db');
  const apiKey = seedSqlite(original, options.pets);
  let copies = 0;
  return {
    ...options,
    apiKey,
    file,
    copyDatabase() {
      copies += 1;
      const folder = file(`copy-${copies}`);
      const copy = join(folder, 'petstore.db');
      mkdirSync(folder);
      copyFileSync(original, copy);
      return { file: copy, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
    },
  };
}
