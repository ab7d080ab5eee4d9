import { escapeXml } from './svg.ts';

/** Figures over time, drawn above each other with one axis of time. */
export interface Timeline {
  title: string;
  /** A line below the title. */
  note: string;
  /** What was promised, each with whether it was kept; `undefined` where that cannot be told. */
  assessments: readonly { isKept: boolean | undefined; text: string }[];
  /** The end of the axis, in seconds. */
  seconds: number;
  panels: readonly Panel[];
  /** What happened from when to when, in seconds. */
  events: readonly { name: string; from: number; to: number }[];
}

export interface Panel {
  title: string;
  /** A logarithmic scale has no 0: `least` is its lower end. */
  scale: { kind: 'linear' } | { kind: 'logarithmic'; least: number };
  series: readonly Series[];
  /** Lines at a height, each with a text: what a figure was over a part of the time. */
  levels?: readonly { from: number; to: number; value: number; text: string }[];
  /** How tall the panel is, in rows. @default 1 */
  rows?: number;
}

export interface Series {
  name: string;
  colour: Colour;
  /** Whether each point is a bar from 0 and not part of a line. */
  isBars?: boolean;
  points: readonly { at: number; value: number | undefined }[];
}

export type Colour = keyof typeof COLOURS;

/** For a light page and for a dark one. */
const COLOURS = {
  blue: ['#0969da', '#58a6ff'],
  orange: ['#bc4c00', '#f0883e'],
  red: ['#cf222e', '#ff7b72'],
  green: ['#1a7f37', '#3fb950'],
  purple: ['#8250df', '#bc8cff'],
  grey: ['#57606a', '#8b949e'],
} as const;

const WIDTH = 960;
const LEFT = 64;
const RIGHT = 24;
const PLOT = WIDTH - LEFT - RIGHT;
const HEADING = 24;
const LABEL_ROW = 18;
const NOTE_ROW = 19;
const ROW = 52;
const GAP = 14;
/** The width of a character of the labels: generous, for fonts differ. */
const CHARACTER = 7;

const style = (index: 0 | 1) =>
  [
    `.paper{fill:${['#ffffff', '#0d1117'][index]}}`,
    `text{fill:${['#24292f', '#e6edf3'][index]}}`,
    `.quiet{fill:${['#57606a', '#8b949e'][index]}}`,
    `.heading{stroke:${['#ffffff', '#0d1117'][index]};stroke-width:4;paint-order:stroke}`,
    `.grid{stroke:${['#d8dee4', '#30363d'][index]};stroke-width:1}`,
    `.event{fill:${['#bf8700', '#d29922'][index]};fill-opacity:.16}`,
    `.mark{stroke:${['#9a6700', '#d29922'][index]};stroke-width:1;stroke-dasharray:3 3}`,
    ...Object.entries(COLOURS).map(
      ([name, pair]) => `.${name}{stroke:${pair[index]}}.${name}-text{fill:${pair[index]};font-weight:600}`,
    ),
  ].join('');

const STYLE = `${style(0)}path{fill:none;stroke-width:1.5;stroke-linejoin:round}@media(prefers-color-scheme:dark){${style(1)}}`;

/** Draws a timeline as an SVG picture that suits light pages and dark ones. */
export function drawTimeline({ title, note, assessments, seconds, panels, events }: Timeline): string {
  const x = (at: number) => round(LEFT + (Math.min(at, seconds) / seconds) * PLOT);
  const labels = placeLabels(events, x);
  const labelsTop = 44 + (1 + assessments.length) * NOTE_ROW + 8;
  const top = labelsTop + (1 + Math.max(-1, ...labels.map(({ row }) => row))) * LABEL_ROW;
  let bottom = top;
  const drawn = panels.map((panel) => {
    const height = ROW * (panel.rows ?? 1);
    const plotTop = bottom + GAP + HEADING;
    bottom = plotTop + height;
    return drawPanel(panel, { x, top: plotTop, height });
  });
  const height = bottom + 40;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}" font-family="system-ui, sans-serif" font-size="12">`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>`,
    `<text x="20" y="32" font-size="18" font-weight="600">${escapeXml(title)}</text>`,
    `<text class="quiet" x="20" y="54">${escapeXml(note)}</text>`,
    ...assessments.map((assessment, index) => drawAssessment(assessment, 54 + (index + 1) * NOTE_ROW)),
    ...labels.flatMap(({ name, from, to, row }) => {
      const y = labelsTop + row * LABEL_ROW + 12;
      return [
        `<rect class="event" x="${x(from)}" y="${y + 3}" width="${Math.max(1.5, x(to) - x(from))}" height="${bottom - y - 3}"/>`,
        `<path class="mark" d="M${x(from)} ${y + 3}V${bottom}"/>`,
        `<text x="${labelX(name, x(from))}" y="${y}" text-anchor="start" font-weight="600">${escapeXml(name)}</text>`,
      ];
    }),
    ...drawn.flat(),
    ...drawTimeAxis(seconds, x, bottom),
    '</svg>\n',
  ].join('\n');
}

/** With a mark that is drawn, because not every font has one. */
function drawAssessment({ isKept, text }: Timeline['assessments'][number], y: number): string {
  const marks = {
    true: ['green', 'l3.5 4 l6 -8'],
    false: ['red', 'm1 -4 l8 8 m0 -8 l-8 8'],
    undefined: ['grey', 'h9'],
  } as const;
  const [colour, steps] = marks[`${isKept}`];
  return [
    `<path class="${colour}" style="stroke-width:2" d="M21 ${y - 4}${steps}"/>`,
    `<text x="38" y="${y}">${escapeXml(text)}</text>`,
  ].join('');
}

/** A label begins at its event, or ends at the border. */
const labelX = (name: string, at: number) => Math.min(at, WIDTH - RIGHT - name.length * CHARACTER);

/** Gives each label the first row in which it does not run into the one before. */
function placeLabels(events: Timeline['events'], x: (at: number) => number) {
  const ends: number[] = [];
  return events.map((event) => {
    const start = labelX(event.name, x(event.from));
    const free = ends.findIndex((end) => end < start);
    const row = free < 0 ? ends.length : free;
    ends[row] = start + event.name.length * CHARACTER + 8;
    return { ...event, row };
  });
}

interface Place {
  x(at: number): number;
  top: number;
  height: number;
}

function drawPanel(panel: Panel, place: Place): string[] {
  const { title, scale, series, levels = [] } = panel;
  const { x, top, height } = place;
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const greatest = Math.max(...values, ...levels.map(({ value }) => value), 0);
  const ticks = scale.kind === 'linear' ? linearTicks(greatest) : logarithmicTicks(scale.least, greatest);
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const part = (value: number) =>
    scale.kind === 'linear'
      ? value / most
      : Math.log(Math.max(value, least) / least) / Math.log(most / least);
  const y = (value: number) => round(top + height * (1 - part(value)));
  const names = series.length === 1 ? [] : series;
  return [
    `<text class="heading" x="${LEFT}" y="${top - 8}"><tspan font-weight="600">${escapeXml(title)}</tspan>${names
      .map(({ name, colour }) => `<tspan class="${colour}-text" dx="14">${escapeXml(name)}</tspan>`)
      .join('')}</text>`,
    ...ticks.flatMap((tick) => [
      `<path class="grid" d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}"/>`,
      `<text class="quiet" x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end" font-size="11">${formatTick(tick)}</text>`,
    ]),
    ...series.map(({ colour, points, isBars }) => {
      const steps = isBars ? barsOf(points, x, y) : lineOf(points, x, y);
      return `<path class="${colour}" d="${steps}"/>`;
    }),
    ...levels.flatMap(({ from, to, value, text }) => [
      `<path class="grey" stroke-dasharray="6 3" d="M${x(from)} ${y(value)}H${x(to)}"/>`,
      `<text x="${(x(from) + x(to)) / 2}" y="${y(value) + 16}" text-anchor="middle" font-size="11">${escapeXml(text)}</text>`,
    ]),
  ];
}

type Points = Series['points'];
type Position = (value: number) => number;

/** A line has a gap where a value is missing. */
function lineOf(points: Points, x: Position, y: Position): string {
  let isDown = false;
  return points
    .map(({ at, value }) => {
      const step = value === undefined ? '' : `${isDown ? 'L' : 'M'}${x(at)} ${y(value)}`;
      isDown = value !== undefined;
      return step;
    })
    .join('');
}

const barsOf = (points: Points, x: Position, y: Position) =>
  points.map(({ at, value }) => (value ? `M${x(at)} ${y(0)}V${y(value)}` : '')).join('');

/** 0, and two round numbers above it of which the last is not below the greatest value. */
function linearTicks(greatest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(greatest || 1));
  const step =
    [0.5, 0.6, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5].find((factor) => 2 * factor * power >= greatest) ?? 5;
  return [0, step * power, 2 * step * power];
}

/** Powers of ten from the least on. */
function logarithmicTicks(least: number, greatest: number): number[] {
  const ticks = [least];
  for (let tick = least * 10; (ticks.at(-1) ?? 0) < greatest; tick *= 10) ticks.push(tick);
  return ticks.length > 1 ? ticks : [least, least * 10];
}

function drawTimeAxis(seconds: number, x: Position, bottom: number): string[] {
  const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400];
  const step = steps.find((length) => seconds / length <= 12) ?? 28_800;
  const count = Math.floor(seconds / step) + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = index * step;
    const text = step < 60 ? `${at} s` : `${at / 60} min`;
    return `<text class="quiet" x="${x(at)}" y="${bottom + 20}" text-anchor="middle" font-size="11">${text}</text>`;
  });
}

const tickFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const formatTick = (value: number) => tickFormat.format(value);
const round = (value: number) => Math.round(value * 10) / 10;
