import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@petstore/test-support/files';
import { describe, expect, test } from 'vitest';
import { completionScripts } from '../src/completion/scripts.ts';
import { createProgram } from '../src/program.ts';
import { runPets } from './run-pets.ts';

const program = createProgram();

/** What bash offers for a line whose last word is being typed. */
function completeInBash(...words: string[]): string[] {
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
  const script = `${completionScripts.bash(program)}\n${line}\n_pets\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: import.meta.dirname })
    .trim()
    .split('\n');
}

describe('the completion for bash', () => {
  test('completes commands, options and their values', () => {
    expect(completeInBash('pets', 'li')).toEqual(['list']);
    expect(completeInBash('pets', 'list', '--st')).toEqual(['--status']);
    expect(completeInBash('pets', 'list', '--status', '')).toEqual(['available', 'pending', 'sold']);
    expect(completeInBash('pets', 'completion', 'f')).toEqual(['fish']);
  });

  test('completes the names of files, also with spaces', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('more animals.csv');
    writeFileSync(file, '');
    const start = folder.file('more');
    expect(completeInBash('pets', 'import', start)).toEqual([file]);
    expect(completeInBash('pets', 'export', '--output', start)).toEqual([file]);
  });

  test('offers nothing after an option that takes a text', () => {
    expect(completeInBash('pets', 'add', '--category', '')).toEqual(['']);
  });
});

test.each(['zsh', 'fish'] as const)('the completion for %s has every command and option', (shell) => {
  const script = completionScripts[shell](program);
  for (const command of program.commands) {
    expect(script).toContain(command.name());
    for (const { long } of command.options) expect(script).toContain(long?.slice(2));
  }
});

test('pets completion prints the script', async () => {
  const { stdout } = await runPets(['completion', 'bash']);
  expect(stdout).toBe(`${completionScripts.bash(program)}\n`);
});
