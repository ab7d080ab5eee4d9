import { once } from 'node:events';
import { styleText } from 'node:util';
import stringWidth from 'string-width';

/** What cannot be shown as it is: a name with an escape sequence could rewrite the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** The text on one line, with everything that a terminal would obey made visible. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const [quoted = ''] = JSON.stringify(character).slice(1, -1).match(/^\\.*/) ?? [];
    return quoted || `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The width of a stream: its terminal's, that of COLUMNS, or none. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || Number(process.env.COLUMNS) || Number.POSITIVE_INFINITY;
}

const graphemes = new Intl.Segmenter();

/** Cuts a text to a number of columns; an ellipsis shows that something is missing. */
export function truncate(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = '';
  let left = columns - 1;
  for (const { segment } of graphemes.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Styles a text where the stream is a terminal with colours; obeys NO_COLOR and FORCE_COLOR. */
export function style(
  format: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream,
): string {
  return styleText(format, text, { stream });
}

/** Writes to standard output and waits while its reader is slower. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** How often the count is written again, in milliseconds. */
const COUNT_MS = 500;

/** Shows how far a command is while standard error is a terminal. */
export function showCount(describe: () => string): Disposable {
  const stream = process.stderr;
  const timer = stream.isTTY ? setInterval(() => stream.write(`\r${describe()}`), COUNT_MS) : undefined;
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      if (timer) stream.write('\r\u001b[K');
    },
  };
}
