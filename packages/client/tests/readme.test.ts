import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/call-options.ts';
import { serveMemory } from './support/serve-memory.ts';
import { compileSnippets, readSnippets, runSnippet } from './support/snippets.ts';

const files = ['../README.md', '../ERRORS.md'];

const snippets = await Promise.all(files.map((file) => readSnippets(new URL(file, import.meta.url))));

test('every snippet of the documentation compiles', async () => {
  expect(snippets.flat().length).toBeGreaterThan(9);
  expect(await compileSnippets(snippets.flat())).toBe('');
});

// One after another: they have limits of their own, and the service in this process must respond in time.
describe.each(snippets.flat())('the snippet $name', (snippet) => {
  test('runs and prints the lines of its comments', async () => {
    await using service = await serveMemory();
    const { lines, exitCode } = await runSnippet(snippet, { ...service.memory, baseUrl: service.baseUrl });
    expect({ lines, exitCode }).toMatchObject({ exitCode: 0 });
    expect(lines.filter((line) => snippet.prints.includes(line))).toEqual(snippet.prints);
  });
});

test('the table of options has the defaults of the code', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = readme.matchAll(/^\| `(\w+)` +\| `([\d_]+)` +\|/gm);
  const documented = Array.from(rows, ([, name, value = '']) => [name, Number(value.replaceAll('_', ''))]);
  expect(Object.fromEntries(documented)).toEqual(defaultLimits);
});
