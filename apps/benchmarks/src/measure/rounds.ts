import type { Bench } from '../bench.ts';
import { checkAnswers } from '../check.ts';
import { PEERS, type Peer } from '../peers.ts';
import { type RunningServer, startServer } from '../process.ts';

/**
 * Runs every server in turn, round after round, each time on a fresh database and once its answers were
 * found right. Every other round goes the other way, so that no server always comes after the same one.
 */
export async function inRounds(
  bench: Bench,
  what: string,
  measure: (peer: Peer, server: RunningServer, file: string) => Promise<void>,
): Promise<void> {
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const peer of round % 2 === 1 ? PEERS : PEERS.toReversed()) {
      bench.say(`${what}, round ${round} of ${bench.rounds}: ${peer.name}`);
      await using database = bench.freshDatabase();
      await using server = await startServer(peer, database.file);
      await checkAnswers(server.pets, bench.apiKey, bench.count);
      await measure(peer, server, database.file);
    }
  }
}
