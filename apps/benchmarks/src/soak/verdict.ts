import { median } from '../report/statistics.ts';
import { formatCount, formatPercent } from '../report/table.ts';
import type { Problem } from './ledger.ts';
import type { Sample } from './sampler.ts';

/** What a run has shown. */
export interface Outcome {
  samples: readonly Sample[];
  problems: Record<Problem, number>;
  acknowledged: number;
  takenBack: number;
  repeated: number;
  calls: number;
  failedCalls: number;
  /** Pets at the start, and at the end. */
  pets: { before: number; after: number };
  writeAheadLogLimitMb: number;
}

/** A promise, and whether it was kept: `undefined` where the run was too short to tell. */
export interface Assessment {
  isKept: boolean | undefined;
  text: string;
}

/** A server is warm, and its files have more than their first pages, after minutes. */
const MIN_SECONDS = 600;
/** How much more memory the last quarter may take than the second. */
const MEMORY_GROWTH = 0.1;
/** Twice what docs/capacity.md calculates for a pet with its idempotency record. */
const BYTES_PER_PET = 1_000;

export function assess(outcome: Outcome): Assessment[] {
  const { samples } = outcome;
  const isLong = (samples.at(-1)?.at ?? 0) >= MIN_SECONDS;
  const unlessShort = ({ isKept, text }: Assessment): Assessment =>
    isLong ? { isKept, text } : { isKept: undefined, text: `${text} (too short a run to tell)` };
  return [
    assessPets(outcome),
    assessCalls(outcome),
    ...[assessMemory, assessLog, assessFile].map((of) => unlessShort(of(outcome))),
  ];
}

export const isPassed = (assessments: readonly Assessment[]): boolean =>
  assessments.every(({ isKept }) => isKept !== false);

function assessPets({ problems, acknowledged, takenBack, repeated }: Outcome): Assessment {
  const { lost, doubled, changed, misplaced } = problems;
  return {
    isKept: lost + doubled + changed + misplaced === 0,
    text: `${formatCount(acknowledged)} creations acknowledged, ${formatCount(repeated)} repeated with their key: ${lost} lost, ${doubled} doubled, ${changed} changed, ${misplaced} out of order; the restore took ${formatCount(takenBack)} others back, as it must`,
  };
}

function assessCalls({ calls, failedCalls }: Outcome): Assessment {
  return {
    isKept: failedCalls === 0,
    text: `${formatCount(calls)} calls of the client, ${formatCount(failedCalls)} failed`,
  };
}

/** The median of a figure over a quarter of the run, counted from 1. */
export function quarterMedian(
  samples: readonly Sample[],
  quarter: number,
  figure: (sample: Sample) => number | undefined,
): number | undefined {
  const length = (samples.at(-1)?.at ?? 0) / 4;
  const values = samples
    .filter(({ at }) => at > (quarter - 1) * length && at <= quarter * length)
    .flatMap((sample) => figure(sample) ?? []);
  return values.length === 0 ? undefined : median(values);
}

function assessMemory({ samples }: Outcome): Assessment {
  const [second, last] = [2, 4].map((quarter) => quarterMedian(samples, quarter, ({ memoryMb }) => memoryMb));
  if (second === undefined || last === undefined)
    return { isKept: undefined, text: 'Memory could not be read' };
  return {
    isKept: last <= (1 + MEMORY_GROWTH) * second,
    text: `resident memory ${formatCount(second)} MB in the second quarter and ${formatCount(last)} MB in the last, at most ${formatPercent(MEMORY_GROWTH)} more are allowed`,
  };
}

function assessLog({ samples, writeAheadLogLimitMb }: Outcome): Assessment {
  const highest = Math.max(...samples.map(({ writeAheadLogMb = 0 }) => writeAheadLogMb));
  return {
    isKept: highest <= writeAheadLogLimitMb,
    text: `the write-ahead log took ${formatCount(highest)} MB at most, ${formatCount(writeAheadLogLimitMb)} are allowed`,
  };
}

function assessFile({ samples, pets }: Outcome): Assessment {
  const sizes = samples.flatMap(({ databaseMb }) => databaseMb ?? []);
  const grown = ((sizes.at(-1) ?? 0) - (sizes[0] ?? 0)) * 1_000_000;
  const each = grown / (pets.after - pets.before);
  return {
    isKept: each <= BYTES_PER_PET,
    text: `the database grew by ${formatCount(each)} bytes for each new pet with its idempotency record, ${formatCount(BYTES_PER_PET)} are allowed`,
  };
}
