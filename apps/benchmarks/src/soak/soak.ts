import { setTimeout as sleep } from 'node:timers/promises';
import { Callers, MIXES } from './callers.ts';
import { createDisk } from './disk.ts';
import { planEvents, type SoakEvent } from './events.ts';
import { Ledger } from './ledger.ts';
import { startPostgresService } from './postgres-service.ts';
import { createSampler, type Sample } from './sampler.ts';
import { startSqliteService } from './sqlite-service.ts';
import { type Assessment, assess } from './verdict.ts';

export const ENGINES = { sqlite: startSqliteService, postgres: startPostgresService } as const;
export type Engine = keyof typeof ENGINES;

export interface SoakOptions {
  engine: Engine;
  /** The length of the run. It is longer where the events take longer. */
  seconds: number;
  /** Calls a second. */
  rate: number;
  /** Pets in the database at the start. */
  pets: number;
  /** A path in a folder on a real disk. */
  file(name: string): string;
  /** The path of the server's log, without `.log`. */
  log: string;
  /** Reports progress. */
  report(line: string): void;
}

/** An event that has happened, with its time in seconds since the start of the run. */
export interface PastEvent {
  name: string;
  from: number;
  to: number;
}

export interface SoakResult extends Pick<SoakOptions, 'engine' | 'seconds' | 'rate' | 'pets'> {
  samples: Sample[];
  events: PastEvent[];
  assessments: Assessment[];
  /** What was lost, doubled, changed or failed, as far as it is worth to be shown. */
  examples: string[];
}

/** The mixes take turns, so that each quarter of the run has both. */
const PHASES = 8;
const MAX_SAMPLES = 720;
const REPLAYS = 500;
/** After the last event, so that the picture shows what follows it. */
const REST_SECONDS = 2;

/**
 * Runs the service under load while it is killed, backed up, restored and so on, and compares what it has in the end
 * with what it has acknowledged.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { engine, seconds, rate, pets, file, log, report } = options;
  await using disk = await createDisk(file('disk'));
  await using service = await ENGINES[engine]({ disk: disk.path, pets, file, log });
  const ledger = new Ledger(pets);
  const callers = new Callers(`http://127.0.0.1:${service.server.port}/v1`, service.apiKey, ledger);
  const samples: Sample[] = [];
  const refused = () => samples.reduce((sum, { failures }) => sum + (failures.database_unavailable ?? 0), 0);
  const ended = new AbortController();
  const start = performance.now();
  const now = () => (performance.now() - start) / 1_000;
  const mixNow = () => (Math.floor((now() / seconds) * PHASES) % 2 === 0 ? MIXES.mix5 : MIXES.mix30);

  const sampler = createSampler(service, callers);
  const sampling = takeSamples(sampler, samples, seconds / MAX_SAMPLES, ended.signal);
  const sending = callers.send(rate, mixNow, ended.signal);
  const events = planEvents({ service, disk, ledger, callers, seconds, refused });
  const past: PastEvent[] = [];
  const assessments: Assessment[] = [];
  try {
    await happen(events, { seconds, now, past, report });
    await sleep(1_000 * Math.max(REST_SECONDS, seconds - now()));
    ended.abort();
    await Promise.all([sending, sampling]);
    report(`${formatTime(now())} checking all pets`);
    const after = await callers.audit(REPLAYS);
    const { problems, acknowledged, takenBack } = ledger;
    const writeAheadLogLimitMb = service.writeAheadLogLimit / 1_000_000;
    const counts = { problems, acknowledged, takenBack, ...callers.totals, pets: { before: pets, after } };
    assessments.push(...assess({ samples, ...counts, writeAheadLogLimitMb }));
  } catch (error) {
    // What was measured so far is worth a picture.
    assessments.push({ isKept: false, text: String(error) });
  } finally {
    ended.abort();
    await sampling;
  }
  if (disk.fill === undefined) {
    const text = 'full disk: left out, because only root on Linux can mount a disk of its own';
    assessments.push({ isKept: undefined, text });
  }
  const { firstFailure } = callers;
  const examples = [...ledger.examples, ...(firstFailure === undefined ? [] : [`call: ${firstFailure}`])];
  return { engine, seconds, rate, pets, samples, events: past, assessments, examples };
}

interface Course {
  seconds: number;
  now(): number;
  past: PastEvent[];
  report(line: string): void;
}

/**
 * Lets the events happen, each at its time or right after the one before.
 *
 * @throws Error when one fails
 */
async function happen(events: readonly SoakEvent[], { seconds, now, past, report }: Course): Promise<void> {
  for (const event of events) {
    await sleep(Math.max(0, event.at * seconds - now()) * 1_000);
    const from = now();
    report(`${formatTime(from)} ${event.name}`);
    try {
      await event.happen();
    } catch (error) {
      throw new Error(`The event "${event.name}" failed: ${error}`, { cause: error });
    }
    past.push({ name: event.name, from, to: now() });
    report(`${formatTime(now())} ${event.name} is over`);
  }
}

/** Takes samples until the signal. */
async function takeSamples(
  sampler: () => Promise<Sample>,
  samples: Sample[],
  interval: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(Math.max(0.5, interval) * 1_000, undefined, { signal }).catch(() => {});
    samples.push(await sampler());
  }
}

const formatTime = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
