/**
 * Installs, and runs every check through Turborepo: format, lint, types, builds and all tests. The last line is
 * `N passed, N failed`, counted from the reports of all test runs, including cached runs.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';

const REPORTS = '{tests,{apps,packages}/*}/reports/vitest.json';

for (const report of globSync(REPORTS)) rmSync(report);
const isInstalled = run('pnpm', 'install');
const isSound = runTasks(['lint', 'typecheck', 'build']);
// Two packages at a time: while the tests of one wait, the tests of the other use the processor.
const isTested = runTasks(['test'], '--concurrency=2');

let passed = 0;
let failed = 0;
for (const report of globSync(REPORTS)) {
  const counts: { numPassedTests: number; numFailedTests: number } = JSON.parse(readFileSync(report, 'utf8'));
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = isInstalled && isSound && isTested && passed > 0 && failed === 0 ? 0 : 1;

function runTasks(tasks: readonly string[], ...options: string[]): boolean {
  return run('turbo', 'run', ...tasks, '--continue', '--output-logs=new-only', ...options);
}

function run(command: string, ...args: string[]): boolean {
  // turbo.json lists NODE_VERSION, so results of another version are not reused.
  const env = { ...process.env, NODE_VERSION: process.version, TURBO_TELEMETRY_DISABLED: '1' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}
