import type { Bench } from '../bench.ts';
import { checkResponses } from '../check-responses.ts';
import type { Peer } from '../peers.ts';
import { type RunningServer, startServer } from '../start-server.ts';

/**
 * Measures every server in turn, round after round, each time on a fresh database and after its responses
 * were checked. Every other round goes backwards, so that no server always follows the same other one.
 */
export async function inRounds(
  bench: Bench,
  title: string,
  measure: (peer: Peer, server: RunningServer, file: string) => Promise<void>,
): Promise<void> {
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const peer of round % 2 === 1 ? bench.peers : bench.peers.toReversed()) {
      bench.report(`${title}, round ${round} of ${bench.rounds}: ${peer.name}`);
      await using database = bench.copyDatabase();
      await using server = await startServer(peer, database.file);
      await checkResponses(server.petsUrl, bench.apiKey, bench.pets);
      await measure(peer, server, database.file);
    }
  }
}
