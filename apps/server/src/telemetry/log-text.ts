/**
 * Control characters, plain or escaped in JSON: a caller could overwrite lines of a terminal with them. An escaped
 * backslash matches as well, so that the text after it is not taken for an escape.
 */
const CONTROL = /\\(?:\\|u00[01][\da-f]|[bfr])|[\x7f-\x9f]/g;

/** Loads the formatter of log lines for people. A request has one line, as in the log of the catalogue. */
export async function loadTextFormat(): Promise<(line: string) => string> {
  const { isColorSupported, prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: isColorSupported,
    translateTime: 'UTC:HH:MM:ss.l',
    singleLine: true,
    ignore: 'method,route,path,status,code,durationMs',
    messageFormat({ msg, method, route, path, status, code, durationMs }) {
      const words = method === undefined ? [msg, status] : [method, path ?? route, status, code];
      if (durationMs !== undefined) words.push(durationMs, 'ms');
      const text = words.filter((word) => word !== undefined).join(' ');
      return text.replaceAll('\n', '\ufffd');
    },
  });
  return (line) => format(line.replaceAll(CONTROL, (found) => (found === '\\\\' ? found : '\ufffd')));
}
