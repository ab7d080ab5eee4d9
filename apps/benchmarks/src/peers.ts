import { fileURLToPath } from 'node:url';

/** A server that answers the three operations, to be started as its own process. */
export interface Peer {
  name: string;
  /** The script that Node runs, and what follows it. */
  entry: string;
  arguments: readonly string[];
  /** How it is told its port and its SQLite file. */
  environment(port: number, file: string): Record<string, string>;
}

/** Ours, with what it does when it is told nothing else. */
export const OURS: Peer = {
  name: 'Ours (ts-rest on Express 5, Kysely)',
  entry: fileURLToPath(import.meta.resolve('@petstore/server/cli')),
  arguments: ['serve'],
  environment: (port, file) => ({ PORT: `${port}`, DATABASE_URL: `sqlite:${file}` }),
};

const peer = (name: string, script: string): Peer => ({
  name,
  // Compiled also where this file is not: removing types at the start would count as theirs.
  entry: fileURLToPath(new URL(`../dist/peers/${script}.js`, import.meta.url)),
  arguments: [],
  environment: (port, file) => ({ PORT: `${port}`, DATABASE: file, NODE_ENV: 'production' }),
});

export const PEERS: readonly Peer[] = [
  OURS,
  peer('Bare node:http, prepared better-sqlite3', 'node-http'),
  peer('Fastify, hand-tuned, prepared better-sqlite3', 'fastify-tuned'),
  peer('Fastify + zod + Kysely', 'fastify-zod'),
  peer('Hono + zod-openapi + Kysely', 'hono'),
  peer('oRPC + Kysely', 'orpc'),
  peer('Express 5 + ts-rest + Kysely, naive', 'ts-rest'),
];
