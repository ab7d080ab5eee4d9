import { inspect, styleText } from 'node:util';
import { levels } from 'pino';
import { z } from 'zod';

const Members = z.looseObject({
  msg: z.string().optional(),
  method: z.string().optional(),
  route: z.string().optional(),
  path: z.string().optional(),
  status: z.number().optional(),
  code: z.string().optional(),
  durationMs: z.number().optional(),
});
type Members = z.infer<typeof Members>;

const Line = Members.extend({
  level: z.number(),
  time: z.number(),
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
  const { level, time, err, ...members } = data;
  const text = members.method === undefined ? describeEvent(members) : describeRequest(members);
  const stack = err === undefined ? '' : `\n${err.stack.replaceAll(CONTROL_IN_LINES, '\ufffd')}`;
  return `${new Date(time).toISOString().slice(11, 23)} ${styleLevel(level)}${text}${stack}\n`;
}

const describeEvent = ({ msg, ...others }: Members) => join(msg, ...show(others));

function describeRequest({ method, path, route, status = 0, code, durationMs, ...others }: Members): string {
  const result = join(code, `${durationMs} ms`, ...show(others));
  return `${join(method, path ?? route)} ${styleStatus(status)} ${result}`;
}

const join = (...parts: (string | undefined)[]) =>
  parts
    .filter((part) => part !== undefined)
    .join(' ')
    .replaceAll(CONTROL, '\ufffd');

const show = (members: object): string[] =>
  Object.entries(members).map(([name, value]) => {
    const text =
      typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
    return `${name}=${text}`;
  });

function styleStatus(status: number): string {
  if (status < 400) return String(status);
  return styleText(status < 500 ? 'yellow' : 'red', String(status));
}

function styleLevel(level: number): string {
  // The level of most lines is left out.
  if (level === INFO) return '';
  const name = (levels.labels[level] ?? String(level)).toUpperCase();
  return `${styleText(level >= ERROR ? 'red' : 'yellow', name)} `;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
