import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '@petstore/test-support/files';

const HERE = join(import.meta.dirname, '../..');

/** A release that was built in a folder of its own, which is removed when it is disposed. */
export interface BuiltRelease extends AsyncDisposable {
  path: string;
  /** Its `petstore` command. */
  cli: string;
}

/** Checks out a commit in a folder of its own, and builds it. */
export async function buildRelease(commit: string): Promise<BuiltRelease> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const path = folder.file('released');
  run('git', ['worktree', 'add', '--detach', path, commit], HERE);
  stack.defer(() => run('git', ['worktree', 'remove', '--force', path], HERE));
  run('pnpm', ['install', '--frozen-lockfile'], path);
  run('pnpm', ['build'], path);
  const disposal = stack.move();
  return {
    path,
    cli: join(path, 'apps/server/dist/cli.js'),
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
