import { once } from 'node:events';

/** Line and paragraph separators, bidirectional controls, and control characters, which could rewrite the screen. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the text on one line, with visible control characters. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, (character) => {
    // JSON escapes only the C0 control characters. The other characters get escapes of the same form.
    const json = JSON.stringify(character).slice(1, -1);
    return json === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : json;
  });
}

/** Writes to standard output, and waits for a slow reader. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

const CLEAR_LINE = '\r\u001b[K';

/** Writes a line to standard error. On a terminal it replaces the line of progress. */
export function note(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${escapeControls(line)}\n`);
}

const PROGRESS_INTERVAL_MS = 500;

/** Shows the progress of a command in one line, if standard error is a terminal. */
export function showProgress(describe: () => string): Disposable {
  const { stderr } = process;
  const timer = stderr.isTTY
    ? setInterval(() => stderr.write(CLEAR_LINE + describe()), PROGRESS_INTERVAL_MS)
    : undefined;
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      if (timer) stderr.write(CLEAR_LINE);
    },
  };
}
