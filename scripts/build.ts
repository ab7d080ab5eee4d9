/**
 * Installs and builds packages, all of them when none is named: `node scripts/build.ts [--light] [package…]`.
 *
 * `--light` leaves out the devDependencies of all packages: browsers, databases and other tools of tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals: packages } = parseArgs({
  options: { light: { type: 'boolean', default: false } },
  allowPositionals: true,
});

// What once was complete stays complete: an install without devDependencies removes those of an earlier one.
const isComplete = existsSync(new URL('../node_modules/vitest', import.meta.url));
console.error('Installing: the first time takes half a minute.');
if (values.light && !isComplete) {
  // pnpm checks its supply-chain policies in complete installs, which all have who change the lock file. Here it
  // would load 166 MB to check them: the registry's list of releases of each package in the lock file.
  run('pnpm', 'install', '--prod', '--trust-lockfile', ...packages.map((name) => `--filter-prod=${name}...`));
} else {
  run('pnpm', 'install');
}
console.error('Building: the first time takes up to a minute on a slow machine.');
const filters = packages.map((name) => `--filter=${name}`);
run('turbo', 'run', 'build', '--output-logs=errors-only', '--log-prefix=none', ...filters);

/** Runs a command, and ends with its exit code when it fails. Standard output is left to what runs afterwards. */
function run(command: string, ...args: string[]): void {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const { status, error } = spawnSync(command, args, { stdio: ['inherit', 2, 2], env });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
