/**
 * Installs and builds packages, by default all: `node scripts/run.js build.ts [--light] [package…]`. `--light` leaves
 * out the devDependencies of all packages: browsers, databases and other tools of tests.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** How long a step stays silent: longer than an install or a build without changes takes on a busy machine. */
const SILENT_MS = 4_000;

const { values, positionals: packages } = parseArgs({
  options: { light: { type: 'boolean', default: false } },
  allowPositionals: true,
});

// A light install would remove the devDependencies of a complete one.
const isComplete = existsSync(new URL('../node_modules/@biomejs', import.meta.url));
// A light install trusts the lock file: complete ones, as in CI, check it against pnpm's supply-chain policies. The
// check would load 166 MB: the registry's list of releases of each package in the lock file.
const light = ['--prod', '--trust-lockfile', ...packages.map((name) => `--filter-prod=${name}...`)];
const installing = 'Installing: the first time takes half a minute.';
await run(installing, 'pnpm', 'install', ...(values.light && !isComplete ? light : []));
const building = 'Building: the first time takes up to a minute on a slow machine.';
const filters = packages.map((name) => `--filter=${name}`);
await run(building, 'turbo', 'run', 'build', '--output-logs=errors-only', '--log-prefix=none', ...filters);

/**
 * Runs a command, and ends with its exit code when it fails. The output appears on standard error once the command has
 * failed or has run for `SILENT_MS`. Standard output belongs to the program that runs afterwards.
 */
async function run(message: string, command: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'pipe'], env });
  let heldBack: Buffer[] | undefined = [];
  const show = () => {
    for (const chunk of heldBack ?? []) process.stderr.write(chunk);
    heldBack = undefined;
  };
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => (heldBack ? heldBack.push(chunk) : process.stderr.write(chunk)));
  }
  child.on('error', (error) => console.error(error.message));
  const timer = setTimeout(() => {
    console.error(message);
    show();
  }, SILENT_MS);
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (status === 0) return;
  show();
  process.exit(status ?? 1);
}
