import { once } from 'node:events';

/** What cannot be shown as it is: a name with an escape sequence could rewrite the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** The text on one line, with everything that a terminal would obey made visible. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const [quoted = ''] = JSON.stringify(character).slice(1, -1).match(/^\\.*/) ?? [];
    return quoted || `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
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
