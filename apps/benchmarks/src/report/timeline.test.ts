import { expect, test } from 'vitest';
import { drawTimeline, type Panel, type Timeline } from './timeline.ts';

const PANEL: Panel = {
  title: 'Memory',
  scale: { kind: 'linear' },
  series: [
    {
      name: 'memory',
      colour: 'blue',
      points: [10, 20, undefined, 40, 50].map((value, index) => ({ at: index * 10, value })),
    },
  ],
};
const TIMELINE: Timeline = {
  title: 'A run',
  note: '',
  assessments: [],
  seconds: 60,
  panels: [PANEL],
  events: [],
};

const linesOf = (svg: string, colour: string) =>
  Array.from(
    svg.matchAll(new RegExp(`class="${colour}"[^>]* d="(M[^"]*)"`, 'g')),
    ([, steps]) => steps ?? '',
  );

test('a line has a gap where a value is missing, and its points are at their times', () => {
  const [line = ''] = linesOf(drawTimeline(TIMELINE), 'blue');
  expect(line.match(/M/g)).toHaveLength(2);
  const xs = Array.from(line.matchAll(/[ML]([\d.]+) /g), ([, x]) => Number(x));
  expect((xs[3] ?? 0) - (xs[0] ?? 0)).toBeCloseTo(4 * ((xs[1] ?? 0) - (xs[0] ?? 0)), 0);
});

test('a logarithmic scale gives each power of ten the same room', () => {
  const points = [1, 10, 100].map((value, index) => ({ at: index, value }));
  const scale = { kind: 'logarithmic', least: 1 } as const;
  const panels = [{ title: 'Latency', scale, series: [{ name: 'p50', colour: 'blue', points } as const] }];
  const [line = ''] = linesOf(drawTimeline({ ...TIMELINE, panels }), 'blue');
  const [first = 0, second = 0, third = 0] = Array.from(line.matchAll(/ ([\d.]+)/g), ([, y]) => Number(y));
  expect(first - second).toBeCloseTo(second - third, 0);
  expect(first).toBeGreaterThan(second);
});

test('labels of events that are close to each other do not overlap', () => {
  const events = ['kill -9', 'backup', 'restore'].map((name, index) => ({
    name,
    from: index,
    to: index + 1,
  }));
  const svg = drawTimeline({ ...TIMELINE, events });
  const rows = events.map(({ name }) => new RegExp(`y="(\\d+)"[^>]*>${name}<`).exec(svg)?.[1]);
  expect(new Set(rows).size).toBe(3);
});

test('text is escaped, and a broken promise is marked in another colour than a kept one', () => {
  const assessments = [true, false].map((isKept) => ({ isKept, text: 'a < b' }));
  const svg = drawTimeline({ ...TIMELINE, assessments });
  expect(svg.match(/>a &lt; b<\/text>/g)).toHaveLength(2);
  expect(svg).toContain('<path class="green" style');
  expect(svg).toContain('<path class="red" style');
});

test('an empty run can be drawn', () => {
  const series = [{ name: 'none', colour: 'red', points: [] } as const];
  expect(drawTimeline({ ...TIMELINE, panels: [{ ...PANEL, series }] })).not.toContain('NaN');
});
