/**
 * Makes faults in a copy of this checkout, one at a time, and counts how many the build or a test notices:
 * `pnpm test:faults [--seed 7] [--area server,client] [--count 100]`. The seed decides which faults are made.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, globSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { copyCheckout, GENERATED } from '../copy-checkout.ts';
import { excluded, findMutants, type Mutant, shuffleMutants } from './mutants.ts';

/** The folder of each area, and the other areas whose tests see its faults. */
const areas: Readonly<Record<string, { folder: string; alsoSeenBy: readonly string[] }>> = {
  server: { folder: 'apps/server', alsoSeenBy: [] },
  client: { folder: 'packages/client', alsoSeenBy: ['cli', 'catalogue', 'conformance'] },
  conformance: { folder: 'packages/conformance', alsoSeenBy: [] },
  cli: { folder: 'apps/cli', alsoSeenBy: [] },
  contract: { folder: 'packages/contract', alsoSeenBy: ['client', 'conformance', 'server'] },
  catalogue: { folder: 'apps/catalogue', alsoSeenBy: [] },
};

/** How long an install, a build, or the tests of an area without a fault may take. */
const LIMIT_MS = 1_200_000;
/** A busy machine takes more than half a minute for tests without a fault. */
const TEST_TIMEOUT_MS = 60_000;
/** Tests hang if they take this many times as long as without a fault. */
const HANG_FACTOR = 3;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    area: { type: 'string', default: Object.keys(areas).join() },
    count: { type: 'string', default: '100' },
  },
});

await using copy = await copyCheckout();
const OUTPUT = copy.file('output');

/** Runs pnpm in the copy. @returns whether it succeeded within the limit */
async function run(limitMs: number, ...args: string[]): Promise<boolean> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const output = openSync(OUTPUT, 'w');
  const stdio: StdioOptions = ['ignore', output, output];
  // A group of its own, because a signal to pnpm alone leaves the tests running.
  const child = spawn('pnpm', args, { cwd: copy.path, env, stdio, detached: true });
  closeSync(output);
  const timer = setTimeout(() => killGroup(child), limitMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  // After `--bail`, Vitest leaves servers running.
  killGroup(child);
  return code === 0;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-Number(pid), 'SIGKILL');
  } catch {
    // No process is left.
  }
}

/** @throws Error with the output of the last command unless it succeeded */
function assertSound(succeeded: boolean): void {
  if (!succeeded) throw new Error(`Without a fault this fails:\n${readFileSync(OUTPUT, 'utf8')}`);
}

/** A fault that changes these files is noticed: a pull request shows it, and CI asks for a changeset. */
const readGenerated = () => GENERATED.map((file) => readFileSync(copy.file(file), 'utf8')).join('');
const build = () => run(LIMIT_MS, 'exec', 'turbo', 'run', 'build');
const checkTypes = () => run(LIMIT_MS, 'exec', 'turbo', 'run', 'typecheck');
const test = (folder: string, limitMs: number, files: readonly string[] = []) =>
  run(limitMs, '--filter', `./${folder}`, 'test', '--bail=1', `--testTimeout=${TEST_TIMEOUT_MS}`, ...files);

/** Runs the tests of an area without a fault. @returns two groups of test files, and a limit for each */
async function measure(area: string) {
  const { folder = '' } = areas[area] ?? {};
  const start = performance.now();
  assertSound(await test(folder, LIMIT_MS));
  const limitMs = HANG_FACTOR * (performance.now() - start);
  const report = readFileSync(copy.file(`${folder}/reports/vitest.json`), 'utf8');
  const { testResults }: { testResults: { name: string; startTime: number; endTime: number }[] } =
    JSON.parse(report);
  const files = testResults
    .map(({ name, startTime, endTime }) => ({ name, duration: endTime - startTime }))
    .toSorted((one, other) => one.duration - other.duration)
    .map(({ name }) => name);
  // The quicker half takes a small part of the time, and notices most faults.
  const half = Math.ceil(files.length / 2);
  return { folder, groups: [files.slice(0, half), files.slice(half)], limitMs };
}

const chosen = Object.entries(areas)
  .filter(([area]) => options.area.split(',').includes(area))
  .flatMap(([area, { folder }]) =>
    globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: copy.path, exclude: ['**/*.test{,-d}.ts', ...GENERATED] })
      .flatMap((file) => findMutants(file, readFileSync(copy.file(file), 'utf8')))
      .map((mutant) => ({ ...mutant, area })),
  );
const possible = chosen.filter(({ operator }) => !excluded.has(operator));
const drawn = shuffleMutants(possible, options.seed).slice(0, Number(options.count));

const share = Math.round(100 * (1 - possible.length / chosen.length));
console.log(`Seed ${options.seed}: ${drawn.length} faults of ${possible.length}.`);
console.log(`Not made: ${[...excluded].join(', ')}; ${share} % of all faults.`);

assertSound(await run(LIMIT_MS, 'install', '--frozen-lockfile', '--prefer-offline'));
assertSound(await build());
assertSound(await checkTypes());
const generated = readGenerated();
const seenBy = (area: string) => [area, ...(areas[area]?.alsoSeenBy ?? [])];
const tests = new Map<string, Awaited<ReturnType<typeof measure>>>();
for (const area of new Set(drawn.flatMap(({ area }) => seenBy(area)))) tests.set(area, await measure(area));

/** Makes a fault, and takes it back. @returns what notices it, or `undefined` */
async function tryFault(fault: Mutant & { area: string }): Promise<string | undefined> {
  const { file, start, before, after } = fault;
  const text = readFileSync(copy.file(file), 'utf8');
  writeFileSync(copy.file(file), text.slice(0, start) + after + text.slice(start + before.length));
  try {
    if (!(await build())) return 'the build';
    if (readGenerated() !== generated) return 'git diff after the build';
    for (const area of seenBy(fault.area)) {
      const { folder = '', groups = [], limitMs = 0 } = tests.get(area) ?? {};
      for (const files of groups) if (!(await test(folder, limitMs, files))) return `tests of ${area}`;
    }
    return (await checkTypes()) ? undefined : 'the types of the tests';
  } finally {
    writeFileSync(copy.file(file), text);
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
const results: { area: string; text: string; isNoticed: boolean }[] = [];
for (const mutant of drawn) {
  const start = performance.now();
  const noticedBy = await tryFault(mutant);
  const { area, file, line, before, after } = mutant;
  const text = `${file}:${line}, ${oneLine(before)}, ${oneLine(after)}`;
  console.log(`${Math.round((performance.now() - start) / 1000)} s, ${noticedBy ?? 'SURVIVES'}: ${text}`);
  results.push({ area, text, isNoticed: noticedBy !== undefined });
}

const scoreOf = (all: typeof results) => `${all.filter((one) => one.isNoticed).length} of ${all.length}`;
console.log('\nSurvivors (file:line, before, after):');
for (const { isNoticed, text } of results) if (!isNoticed) console.log(text);
for (const [area, made] of Map.groupBy(results, ({ area }) => area)) console.log(`${area}: ${scoreOf(made)}`);
console.log(`Noticed: ${scoreOf(results)} (seed ${options.seed})`);
