import { describe, expect, test } from 'vitest';
import { readSnippets, runSnippet } from '../../../packages/client/tests/readme.ts';
import { startApp } from './support/app.ts';

const CLIENT = new URL('../../../packages/client/', import.meta.url);

const snippets = await Promise.all(
  ['README.md', 'WHEN-THINGS-GO-WRONG.md'].map((file) => readSnippets(new URL(file, CLIENT))),
);

describe.concurrent.each(snippets.flat())('the snippet $name of the client', (snippet) => {
  test('does against the service what it says', async () => {
    await using app = await startApp();
    const { lines, exitCode } = await runSnippet(snippet, app);
    expect({ lines, exitCode }).toMatchObject({ exitCode: 0 });
    expect(lines.filter((line) => snippet.prints.includes(line))).toEqual(snippet.prints);
  });
});
