import type { Bench } from '../bench.ts';
import { PEERS } from '../peers.ts';
import { Collection, compare } from '../report/comparison.ts';
import { formatMs, type Table } from '../report/table.ts';
import { inRounds } from './rounds.ts';

const HEADING = 'until listening';

/** Milliseconds from the start of the process until it takes connections, on an existing database. */
export async function measureStart(bench: Bench): Promise<Table> {
  const collection = new Collection();
  await inRounds(bench, 'Start', async (peer, { startMs }) => collection.add(peer.name, HEADING, startMs));
  return compare(
    'Start, milliseconds',
    collection.of(PEERS.map(({ name }) => name)),
    'less is better',
    formatMs,
  );
}
