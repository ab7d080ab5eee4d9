import { once } from 'node:events';

/** Characters that a terminal obeys: a name with an escape sequence could rewrite the screen. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the text on one line, with visible control characters. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    // JSON has escapes for the C0 control characters only. The other characters get escapes of the same form.
    const [quoted = ''] = JSON.stringify(character).slice(1, -1).match(/^\\.*/) ?? [];
    return quoted || `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes to standard output, and waits for a slow reader. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

const COUNT_INTERVAL_MS = 500;

/** Shows the progress of a command, if standard error is a terminal. */
export function showCount(describe: () => string): Disposable {
  const stream = process.stderr;
  const timer = stream.isTTY
    ? setInterval(() => stream.write(`\r${describe()}`), COUNT_INTERVAL_MS)
    : undefined;
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      if (timer) stream.write('\r\u001b[K');
    },
  };
}
