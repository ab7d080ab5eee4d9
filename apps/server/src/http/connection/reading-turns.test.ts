import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { type Reader, ReadingTurns } from './reading-turns.ts';

/** A connection on which requests arrive, which take some time to parse. */
class Arrival implements Reader {
  readonly isTrusted = false;
  isNew = true;
  isHeldBack = false;
  readonly parsingMs: number;

  constructor(parsingMs: number) {
    this.parsingMs = parsingMs;
  }

  holdBack(): void {
    this.isHeldBack = true;
  }

  readOn(): void {
    this.isHeldBack = false;
  }
}

/** Reads in one turn of the event loop, as Node does, what may be read. */
async function readWhatArrived(arrivals: readonly Arrival[], turns: ReadingTurns): Promise<Arrival[]> {
  await turn();
  const read: Arrival[] = [];
  for (const arrival of arrivals.filter(({ isHeldBack }) => !isHeldBack)) {
    if (arrival.isHeldBack) continue;
    arrival.isNew = false;
    read.push(arrival);
    turns.count(arrival);
    const end = performance.now() + arrival.parsingMs;
    while (performance.now() < end);
    // Connections are held back before the next one is read.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  return read;
}

/** More than it takes to read each connection twice, one in each turn, and to accept them all. */
const MANY_TURNS = 150;

test('a turn reads little of a flood, and many new callers share one of the next', async () => {
  const turns = new ReadingTurns();
  const flood = Array.from({ length: 20 }, () => new Arrival(limits.readingMsPerTurn + 1));
  const newcomers = Array.from({ length: 64 }, () => new Arrival(0));
  for (const arrival of flood) turns.add(arrival);
  for (let number = 0; number < MANY_TURNS; number += 1) await readWhatArrived(flood, turns);
  for (const arrival of newcomers) turns.add(arrival);

  const waiting = new Set(newcomers);
  let floodReads = 0;
  for (let number = 0; number < MANY_TURNS && waiting.size > 0; number += 1) {
    const read = await readWhatArrived([...flood, ...waiting], turns);
    const ofFlood = read.filter((arrival) => !waiting.delete(arrival)).length;
    expect(ofFlood).toBeLessThanOrEqual(2);
    floodReads += ofFlood;
  }

  expect(waiting.size).toBe(0);
  expect(floodReads).toBeLessThan(newcomers.length / 4);
});
