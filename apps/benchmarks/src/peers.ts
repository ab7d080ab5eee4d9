import { fileURLToPath } from 'node:url';

/** A server with the three operations, which reads `PORT`, `API_KEYS` and `DATABASE_URL` from its environment. */
export interface Peer {
  /** For `--peers`. */
  id: string;
  /** For the tables. */
  name: string;
  /** The script that Node.js runs, and its arguments. */
  command: readonly string[];
}

/** The compiled script, so that no start includes removing types. */
const compiled = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const CLI = compiled('../../server/dist/cli.js');

/** Our server, with its default configuration. */
export const OURS: Peer = { id: 'ours', name: 'this server', command: [CLI, 'serve'] };

const peer = (id: string, name: string): Peer => ({
  id,
  name,
  command: [compiled(`../dist/peers/${id}.js`)],
});

export const PEERS: readonly Peer[] = [
  peer('node-http-group-commit', 'bare `node:http`, prepared statements, group commit'),
  peer('fastify-tuned', 'Fastify, hand-tuned, prepared statements'),
  peer('fastify-promises', 'the same Fastify with our visible promises'),
  peer('fastify-zod', 'Fastify + zod + Kysely'),
];
