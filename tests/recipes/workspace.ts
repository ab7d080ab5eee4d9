import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { copyCheckout } from '../copy-checkout.ts';
import type { Step } from './recipe.ts';

/** How a command ended, with all that it wrote. */
export interface Outcome {
  isSuccess: boolean;
  output: string;
}

/** A copy of this checkout, with a build of its own, in which recipes are followed. */
export interface Workspace extends AsyncDisposable {
  /** The path of a file of the copy. */
  file(name: string): string;
  /** Makes the copy what the checkout is, and then follows these steps. */
  follow(steps: readonly Step[]): Promise<void>;
  run(command: string, args: readonly string[], options?: { cwd?: string }): Promise<Outcome>;
  build(): Promise<Outcome>;
  /** Runs test files on SQLite, each by the Vitest of its package, whose options may follow. */
  test(files: readonly string[], ...options: string[]): Promise<Outcome>;
}

export async function createWorkspace(): Promise<Workspace> {
  const copy = await copyCheckout();
  const { file } = copy;
  const run: Workspace['run'] = (command, args, { cwd = copy.path } = {}) =>
    new Promise((resolve) => {
      const env = { ...process.env, DATABASES: 'sqlite', NO_COLOR: '1', FORCE_COLOR: undefined };
      execFile(command, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        resolve({ isSuccess: error === null, output: stdout + stderr });
      });
    });
  const succeed = async (command: string, ...args: string[]) => {
    const { isSuccess, output } = await run(command, args);
    if (!isSuccess) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  };

  const git = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  await succeed('git', 'init', '--quiet');
  await succeed('git', 'add', '--all');
  await succeed('git', ...git, 'commit', '--quiet', '--no-verify', '--message=start');
  await succeed('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');

  return {
    file,
    async follow(steps) {
      await succeed('git', 'reset', '--quiet', '--hard');
      await succeed('git', 'clean', '--quiet', '-fd');
      for (const step of steps) {
        const path = file(step.file);
        const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, step.edit(source));
      }
    },
    run,
    build: () => run('pnpm', ['build']),
    async test(files, ...options) {
      const outcomes: Outcome[] = [];
      for (const [folder, names] of Map.groupBy(files, packageOf)) {
        const args = names.map((name) => posix.relative(folder, name));
        const command = ['exec', 'vitest', 'run', ...args, ...options];
        outcomes.push(await run('pnpm', command, { cwd: file(folder) }));
      }
      return {
        isSuccess: outcomes.every(({ isSuccess }) => isSuccess),
        output: outcomes.map(({ output }) => output).join('\n'),
      };
    },
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  };
}

/** The folder of the package that has a file; `.` for one of the root. */
const packageOf = (file: string) => /^(?:apps|packages)\/[^/]+/.exec(file)?.[0] ?? '.';
