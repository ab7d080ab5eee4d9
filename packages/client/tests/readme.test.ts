import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../src/options.ts';
import { compileSnippets, readSnippets, runSnippet } from './readme.ts';
import { serveMemory } from './serve-memory.ts';

const files = ['../README.md', '../WHEN-THINGS-GO-WRONG.md'];

const snippets = await Promise.all(files.map((file) => readSnippets(new URL(file, import.meta.url))));

test('the snippets of the documentation compile', async () => {
  expect(snippets.flat().length).toBeGreaterThan(10);
  expect(await compileSnippets(snippets.flat())).toBe('');
});

describe.concurrent.each(snippets.flat())('the snippet $name', (snippet) => {
  test('runs and prints what it says', async () => {
    await using service = await serveMemory();
    const { lines, exitCode } = await runSnippet(snippet, { ...service.memory, baseUrl: service.baseUrl });
    expect({ lines, exitCode }).toMatchObject({ exitCode: 0 });
    expect(lines.filter((line) => snippet.prints.includes(line))).toEqual(snippet.prints);
  });
});

test('the table of options has the defaults that the code has', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = readme.matchAll(/^\| `(\w+)` +\| `([\d_]+)` +\|/gm);
  const documented = Array.from(rows, ([, name, value = '']) => [name, Number(value.replaceAll('_', ''))]);
  expect(Object.fromEntries(documented)).toEqual(defaultLimits);
});
