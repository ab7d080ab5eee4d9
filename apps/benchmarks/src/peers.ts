import { fileURLToPath } from 'node:url';
import { CLI } from '@petstore/test-support/servers/server-process';

/** A server with the three operations. It reads `PORT`, `API_KEYS` and `DATABASE_URL` from its environment. */
export interface Peer {
  id: string;
  name: string;
  /** The script that Node.js runs, and its arguments. */
  command: readonly string[];
}

export const OURS: Peer = { id: 'ours', name: 'this server', command: [CLI, 'serve'] };

const peer = (id: string, name: string, script = id, ...options: string[]): Peer => ({
  id,
  name,
  // Compiled, so that no start includes removing types.
  command: [fileURLToPath(new URL(`../dist/peers/${script}.js`, import.meta.url)), ...options],
});

/** Also measured on PostgreSQL, over `pg.Pool`. */
export const FASTIFY_WITH_HEADERS = peer(
  'fastify-headers',
  'the same Fastify with our headers and log',
  'fastify',
  '--headers',
);

export const PEERS: readonly Peer[] = [
  peer('fastify', 'Fastify, hand-tuned, prepared statements'),
  FASTIFY_WITH_HEADERS,
  peer('express', 'Express + ts-rest, prepared statements'),
];
