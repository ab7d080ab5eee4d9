/**
 * Installs and builds packages, all of them when none is named: `node scripts/build.ts [--light] [package…]`.
 *
 * `--light` leaves out the devDependencies of all packages: browsers, databases and other tools of tests.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const MOMENT_MS = 2_000;

const { values, positionals: packages } = parseArgs({
  options: { light: { type: 'boolean', default: false } },
  allowPositionals: true,
});

// What once was complete stays complete: an install without devDependencies removes those of an earlier one.
const isComplete = existsSync(new URL('../node_modules/vitest', import.meta.url));
const installing = 'Installing: the first time takes half a minute.';
if (values.light && !isComplete) {
  // pnpm checks its supply-chain policies in complete installs, which all have who change the lock file. Here it
  // would load 166 MB to check them: the registry's list of releases of each package in the lock file.
  const filters = packages.map((name) => `--filter-prod=${name}...`);
  await run(installing, 'pnpm', 'install', '--prod', '--trust-lockfile', ...filters);
} else {
  await run(installing, 'pnpm', 'install');
}
const building = 'Building: the first time takes up to a minute on a slow machine.';
const filters = packages.map((name) => `--filter=${name}`);
await run(building, 'turbo', 'run', 'build', '--output-logs=errors-only', '--log-prefix=none', ...filters);

/**
 * Runs a command, and ends with its exit code when it fails. Standard output is left to what runs afterwards.
 *
 * @param doing what is printed when the command takes more than a moment
 */
async function run(doing: string, command: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const timer = setTimeout(() => console.error(doing), MOMENT_MS);
  const child = spawn(command, args, { stdio: ['inherit', 2, 2], env });
  child.on('error', ({ message }) => console.error(message));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (status !== 0) process.exit(status ?? 1);
}
