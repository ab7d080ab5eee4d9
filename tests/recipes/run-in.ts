import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a command with SQLite as the only database. @throws Error with the output of a command that fails */
export async function runIn(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { FORCE_COLOR: _color, ...env } = process.env;
  const options = { cwd, env: { ...env, DATABASES: 'sqlite', NO_COLOR: '1' }, maxBuffer: 2 ** 26 };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' }: { stdout?: unknown; stderr?: unknown } = Object(error);
    throw new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error });
  }
}
