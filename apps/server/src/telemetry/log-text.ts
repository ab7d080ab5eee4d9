/**
 * Control characters in a JSON line, with which a caller could overwrite lines of a terminal. JSON escapes those below
 * U+0020. Tabs are harmless, and stacks need their line breaks. An escaped backslash matches as well, so that the text
 * after it is not taken for an escape.
 */
const CONTROL = /\\(?:\\|u00[01][\da-f]|[bfr])|[\x7f-\x9f]/g;

/** Loads the formatter of log lines for people. A request has one line: `GET /v1/pets 200 1.5 ms`. */
export async function loadTextFormat(): Promise<(line: string) => string> {
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: isColorSupported,
    translateTime: 'UTC:HH:MM:ss.l',
    singleLine: true,
    ignore: 'method,route,path,status,code,durationMs',
    messageFormat({ msg, method, route, path, status, code, durationMs }) {
      // The method is absent on lines that are not about a request, and empty if a request could not be parsed.
      const words = method === undefined ? [msg] : [method || undefined, path ?? route, status, code];
      if (durationMs !== undefined) words.push(durationMs, 'ms');
      const text = words.filter((word) => word !== undefined).join(' ');
      // A line break would let a caller forge a line.
      return text.replaceAll('\n', '\ufffd');
    },
  });
  return (line) => format(line.replaceAll(CONTROL, (found) => (found === '\\\\' ? found : '\ufffd')));
}
