import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { KeyRing } from './keys/key-ring.ts';
import type { Loggers } from './log/open.ts';
import { CreateQueue } from './pets/create-queue.ts';

/** The parts that the app is built from; tests build the same app with other parts. */
export interface Context extends Loggers {
  config: Config;
  database: Database;
  keyRing: KeyRing;
  createQueue: CreateQueue;
  lifecycle: Lifecycle;
}

/** Joins the parts that need one another. */
export function createContext(parts: Omit<Context, 'keyRing' | 'createQueue'>): Context {
  const { config, database } = parts;
  return {
    ...parts,
    keyRing: new KeyRing(database, config.API_KEYS),
    createQueue: new CreateQueue(database, { maxWaiting: config.MAX_PENDING_CREATIONS }),
  };
}
