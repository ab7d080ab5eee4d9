/**
 * The one check: formatting, lint, types, builds and every test, through Turborepo. Ends with a line
 * `N passed, N failed` that is counted from the reports of the test runs, cached ones included.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';

const REPORTS = '{.,{apps,packages}/*}/reports/vitest.json';
const TASKS = ['lint', 'typecheck', 'test', 'test:packages'];

// One after another: tests in which time plays a part are not to compete for the processor.
const OPTIONS = ['--continue', '--concurrency=1', '--output-logs=new-only'];

for (const report of globSync(REPORTS)) rmSync(report);
const { status } = spawnSync('turbo', ['run', ...TASKS, ...OPTIONS], {
  stdio: 'inherit',
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
});

let passed = 0;
let failed = 0;
for (const report of globSync(REPORTS)) {
  const counts = countsOf(report);
  passed += counts.passed;
  failed += counts.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = status === 0 && passed > 0 && failed === 0 ? 0 : 1;

/** @throws TypeError when the file is no report of Vitest's */
function countsOf(file: string): { passed: number; failed: number } {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (report instanceof Object && 'numPassedTests' in report && 'numFailedTests' in report) {
    const { numPassedTests: passed, numFailedTests: failed } = report;
    if (typeof passed === 'number' && typeof failed === 'number') return { passed, failed };
  }
  throw new TypeError(`${file} has no counts of tests`);
}
