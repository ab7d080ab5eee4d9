import { spawn } from 'node:child_process';

export interface Outcome {
  stdout: string;
  /** Standard output and standard error. */
  output: string;
  code: number | null;
}

interface Options {
  cwd: string;
  env?: Record<string, string>;
}

/**
 * Runs a command to its end, as a user's shell would: without what pnpm adds to the environment of its scripts.
 *
 * @returns what the command wrote to its standard output
 * @throws Error with everything that the command wrote when it fails
 */
export async function run(command: string, args: readonly string[], { cwd, env }: Options): Promise<string> {
  const { stdout, output, code } = await attempt(command, args, { cwd, ...(env && { env }) });
  if (code === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
}

/** Runs a command to its end, whether it succeeds or fails. */
export function attempt(command: string, args: readonly string[], { cwd, env }: Options): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...userEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ stdout, output, code }));
  });
}

/** The variables of this process, without those of pnpm, npm and vitest. */
export function userEnvironment(): Record<string, string> {
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(?:p?npm_|vitest|node_env|node_options)/i.test(name)
      ? []
      : [[name, value] as const],
  );
  return Object.fromEntries(variables);
}
