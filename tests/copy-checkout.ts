import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@petstore/test-support/files';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Copies this checkout to a temporary folder, as it is after `git clone`: nothing is installed, nothing is built. */
export async function copyCheckout() {
  const folder = await temporaryFolder();
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    cpSync(join(ROOT, file), folder.file(file));
  }
  /** Runs a command in the copy, with SQLite as the only database. @throws Error with the output of a command that fails */
  async function run(command: string, ...args: string[]): Promise<string> {
    const { FORCE_COLOR: _color, ...env } = process.env;
    const options = {
      cwd: folder.path,
      env: { ...env, DATABASES: 'sqlite', NO_COLOR: '1' },
      maxBuffer: 2 ** 26,
    };
    try {
      return (await promisify(execFile)(command, args, options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' }: { stdout?: unknown; stderr?: unknown } = Object(error);
      throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }
  const install = () => run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline');
  return { ...folder, run, install };
}
