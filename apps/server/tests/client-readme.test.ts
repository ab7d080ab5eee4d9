import { describe, expect, test } from 'vitest';
import { readSnippets, runSnippet } from '../../../packages/client/tests/support/snippets.ts';
import { startApp } from './support/app.ts';

const CLIENT = new URL('../../../packages/client/', import.meta.url);

const snippets = await Promise.all(
  ['README.md', 'ERRORS.md'].map((file) => readSnippets(new URL(file, CLIENT))),
);

// One after another: they have limits of their own, and the service in this process must respond in time.
describe.each(snippets.flat())('the snippet $name of the client', (snippet) => {
  test('runs against the service and prints the lines of its comments', async () => {
    await using app = await startApp();
    const { lines, exitCode } = await runSnippet(snippet, app);
    expect({ lines, exitCode }).toMatchObject({ exitCode: 0 });
    expect(lines.filter((line) => snippet.prints.includes(line))).toEqual(snippet.prints);
  });
});
