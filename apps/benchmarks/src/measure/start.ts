import type { Bench } from '../bench.ts';
import { compare, Measurements } from '../report/comparison.ts';
import { formatMs, type Table } from '../report/table.ts';
import { inRounds } from './in-rounds.ts';

const HEADING = 'until listening';

/** Milliseconds from the start of the process until it accepts connections, on an existing database. */
export async function measureStart(bench: Bench): Promise<Table> {
  const measurements = new Measurements();
  await inRounds(bench, 'Start', async (peer, { startMs }) => measurements.add(peer.name, HEADING, startMs));
  return compare('Start: milliseconds', measurements.of(bench.peers), 'less is better', formatMs);
}
