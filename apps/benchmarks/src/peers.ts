import { fileURLToPath } from 'node:url';

/** A server with the three operations, to be started as a process of its own. */
export interface Peer {
  /** For `--peers`. */
  id: string;
  /** For the tables. */
  name: string;
  /** The script that Node runs, and its arguments. */
  entry: string;
  arguments: readonly string[];
  /** The variables that tell it its port and its SQLite file. */
  environment(port: number, file: string): Record<string, string>;
}

/** Our server, with its default configuration. */
export const OURS: Peer = {
  id: 'ours',
  name: 'Ours (ts-rest on Express 5, Kysely)',
  entry: fileURLToPath(import.meta.resolve('@petstore/server/cli')),
  arguments: ['serve'],
  environment: (port, file) => ({ PORT: `${port}`, DATABASE_URL: `sqlite:${file}` }),
};

const peer = (id: string, name: string): Peer => ({
  id,
  name,
  // The compiled script, also when this file is not: the start-up time must not include removing types.
  entry: fileURLToPath(new URL(`../dist/peers/${id}.js`, import.meta.url)),
  arguments: [],
  environment: (port, file) => ({ PORT: `${port}`, DATABASE: file, NODE_ENV: 'production' }),
});

export const PEERS: readonly Peer[] = [
  peer('node-http', 'Bare node:http, prepared better-sqlite3'),
  peer('node-http-group-commit', 'Bare node:http with group commit'),
  peer('fastify-tuned', 'Fastify, hand-tuned, prepared better-sqlite3'),
  peer('fastify-promises', 'The same Fastify with our visible promises'),
  peer('fastify-zod', 'Fastify + zod + Kysely'),
  peer('hono', 'Hono + zod-openapi + Kysely'),
  peer('orpc', 'oRPC + Kysely'),
  peer('ts-rest', 'Express 5 + ts-rest + Kysely, naive'),
];
