import { formatCount } from '../report/table.ts';
import { type Colour, drawTimeline, type Panel, type Series } from '../report/timeline.ts';
import type { Sample } from './sampler.ts';
import type { Engine, SoakResult } from './soak.ts';
import { type Assessment, quarterMedian } from './verdict.ts';

const NAMES: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** Draws what was measured over time, with the events and the verdict. */
export function drawSoak({ engine, seconds, rate, samples, events, assessments }: SoakResult): string {
  const length = seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds)} seconds`;
  return drawTimeline({
    title: `A day under load, compressed: ${length} on ${NAMES[engine]}`,
    note: `${formatCount(rate)} calls a second by our client: lists, single pets, and 5 % or 30 % creations in turns`,
    assessments,
    seconds: Math.max(seconds, samples.at(-1)?.at ?? 0),
    panels: panelsOf(samples),
    events,
  });
}

export const formatAssessment = ({ isKept, text }: Assessment): string =>
  `${isKept === undefined ? '–' : isKept ? '✓' : '✗'} ${text}`;

function panelsOf(samples: readonly Sample[]): Panel[] {
  const series = (
    name: string,
    colour: Colour,
    figure: (sample: Sample) => number | undefined,
    isBars = false,
  ): Series => ({
    name,
    colour,
    isBars,
    points: samples.map((sample) => ({ at: sample.at, value: figure(sample) })),
  });
  const one = (title: string, colour: Colour, figure: (sample: Sample) => number | undefined): Panel => ({
    title,
    scale: { kind: 'linear' },
    series: [series(title, colour, figure)],
  });
  const codes = samples.flatMap(({ failures }) =>
    Object.entries(failures).flatMap(([code, count]) => (count > 0 ? code : [])),
  );
  return [
    {
      title: 'Latency of a call, retries included, in ms',
      scale: { kind: 'logarithmic', least: 0.1 },
      rows: 2.4,
      series: [
        series('p99.9', 'red', ({ p999Ms }) => p999Ms),
        series('p99', 'orange', ({ p99Ms }) => p99Ms),
        series('p50', 'blue', ({ p50Ms }) => p50Ms),
      ],
    },
    {
      title: codes.length === 0 ? 'Failed attempts: none' : 'Failed attempts a second',
      scale: { kind: 'linear' },
      series: [...new Set(codes)].map((code, index) =>
        series(
          code.replaceAll('_', ' '),
          FAILURES[index % FAILURES.length] ?? 'red',
          ({ failures, seconds }) => (failures[code] ?? 0) / seconds,
          true,
        ),
      ),
    },
    one('Creations a second', 'green', ({ creations, seconds }) => creations / seconds),
    {
      ...one('Resident memory of the server, in MB', 'purple', ({ memoryMb }) => memoryMb),
      levels: memoryLevels(samples),
    },
    one('Event loop delay, p99, in ms', 'orange', ({ eventLoopDelayMs }) => eventLoopDelayMs),
    one('Open connections', 'blue', ({ connections }) => connections),
    one('Database, in MB', 'green', ({ databaseMb }) => databaseMb),
    one('Write-ahead log, in MB', 'grey', ({ writeAheadLogMb }) => writeAheadLogMb),
  ];
}

const FAILURES: readonly Colour[] = ['orange', 'red', 'purple', 'blue', 'grey'];

/** The medians of the two quarters that the verdict compares. */
function memoryLevels(samples: readonly Sample[]): Panel['levels'] & object {
  const length = (samples.at(-1)?.at ?? 0) / 4;
  return [2, 4].flatMap((quarter) => {
    const value = quarterMedian(samples, quarter, ({ memoryMb }) => memoryMb);
    if (value === undefined) return [];
    const text = `median ${formatCount(value)} MB`;
    return [{ from: (quarter - 1) * length, to: quarter * length, value, text }];
  });
}
