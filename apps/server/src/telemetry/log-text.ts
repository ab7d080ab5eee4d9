/** A caller could overwrite lines of a terminal with control characters. In JSON, some of them are escaped. */
const CONTROL = /\\u00[01][\da-f]|[\x7f-\x9f]/gi;

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
      return words.filter((word) => word !== undefined).join(' ');
    },
  });
  return (line) => format(line.replaceAll(CONTROL, '\ufffd'));
}
