import { inspect, styleText } from 'node:util';
import { levels } from 'pino';
import { z } from 'zod';

const Line = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().optional(),
  method: z.string().optional(),
  route: z.string().optional(),
  path: z.string().optional(),
  status: z.number().optional(),
  durationMs: z.number().optional(),
  err: z.object({ stack: z.string() }).optional(),
});

const { error: ERROR = 50, info: INFO } = levels.values;

/** A caller could overwrite lines of a terminal with control characters. */
const CONTROL = /\p{Cc}/gu;
const CONTROL_IN_LINES = /[^\P{Cc}\n]/gu;

/** Formats a JSON line of the log for people. Any other text stays unchanged. */
export function toText(json: string): string {
  const { data } = Line.safeParse(parse(json));
  if (data === undefined) return json;
  const { level, time, msg, method, route, path, status, durationMs, err, ...others } = data;
  const subject = method === undefined ? [msg] : [method, path ?? route, status, `${durationMs} ms`];
  // On other log lines, `status` is an ordinary member.
  const members = Object.entries(
    method === undefined && status !== undefined ? { status, ...others } : others,
  );
  const text = [...subject, ...members.map(([name, value]) => `${name}=${show(value)}`)]
    .filter((part) => part !== undefined)
    .join(' ')
    .replaceAll(CONTROL, '\ufffd');
  const stack = err === undefined ? '' : `\n${err.stack.replaceAll(CONTROL_IN_LINES, '\ufffd')}`;
  return `${new Date(time).toISOString().slice(11, 23)} ${styleLevel(level)}${text}${stack}\n`;
}

function styleLevel(level: number): string {
  // The level of most lines is left out.
  if (level === INFO) return '';
  const name = (levels.labels[level] ?? String(level)).toUpperCase();
  return `${styleText(level >= ERROR ? 'red' : 'yellow', name)} `;
}

const show = (value: unknown) =>
  typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY });

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
