import { expect, test } from 'vitest';
import type { Sample } from './sampler.ts';
import { assess, isPassed, type Outcome } from './verdict.ts';

const SAMPLE: Sample = {
  at: 0,
  seconds: 10,
  p50Ms: 1,
  p99Ms: 2,
  p999Ms: 3,
  calls: 2_000,
  creations: 400,
  failures: {},
  memoryMb: 100,
  connections: 5,
  eventLoopDelayMs: 1,
  databaseMb: 10,
  writeAheadLogMb: 4,
};

/** A run of an hour in which nothing grows but the database. */
const samples = Array.from({ length: 360 }, (_, index) => ({
  ...SAMPLE,
  at: 10 * (index + 1),
  databaseMb: 10 + index * 0.1,
}));

const OUTCOME: Outcome = {
  samples,
  problems: { lost: 0, doubled: 0, changed: 0, misplaced: 0 },
  acknowledged: 100_000,
  takenBack: 100,
  repeated: 5_000,
  calls: 700_000,
  failedCalls: 0,
  pets: { before: 10_000, after: 110_000 },
  writeAheadLogLimitMb: 64,
};

const change = (figures: (sample: Sample) => Partial<Sample>) => ({
  samples: samples.map((sample) => ({ ...sample, ...figures(sample) })),
});

test('a run in which all promises were kept passes', () => {
  const assessments = assess(OUTCOME);
  expect(assessments.every(({ isKept }) => isKept)).toBe(true);
  expect(isPassed(assessments)).toBe(true);
});

test.each<[string, Partial<Outcome>]>([
  ['lost pet', { problems: { ...OUTCOME.problems, lost: 1 } }],
  ['doubled pet', { problems: { ...OUTCOME.problems, doubled: 1 } }],
  ['changed pet', { problems: { ...OUTCOME.problems, changed: 1 } }],
  ['pet out of order', { problems: { ...OUTCOME.problems, misplaced: 1 } }],
  ['call that failed', { failedCalls: 1 }],
  ['last quarter with more memory', change(({ at }) => ({ memoryMb: at > 2_700 ? 111 : 100 }))],
  ['write-ahead log that is too long', change(({ at }) => ({ writeAheadLogMb: at === 600 ? 65 : 4 }))],
  ['database that grows by more than its pets', change(({ at }) => ({ databaseMb: at / 30 }))],
])('a %s fails the run', (_what, outcome) => {
  const assessments = assess({ ...OUTCOME, ...outcome });
  expect(assessments.filter(({ isKept }) => isKept === false)).toHaveLength(1);
  expect(isPassed(assessments)).toBe(false);
});

test('the growth of a run of seconds is not assessed', () => {
  const short = samples.slice(0, 3).map((sample, index) => ({ ...sample, memoryMb: 100 + 50 * index }));
  const assessments = assess({ ...OUTCOME, samples: short });
  expect(assessments.map(({ isKept }) => isKept)).toEqual([true, true, undefined, undefined, undefined]);
  expect(isPassed(assessments)).toBe(true);
});
