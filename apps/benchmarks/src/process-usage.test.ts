import { spawnSync } from 'node:child_process';
import { pid } from 'node:process';
import { expect, test } from 'vitest';
import { hasUsage, memoryOf, processorSecondsOf, processorSecondsOfFamily } from './process-usage.ts';

test.runIf(hasUsage)('processor time and memory are those of the process', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  // Between the two the process goes on, and Linux counts in hundredths.
  expect(processorSecondsOf(pid)).toBeCloseTo((userCPUTime + systemCPUTime) / 1_000_000, 0);
  expect(memoryOf(pid, 'VmHWM') / ((maxRSS * 1024) / 1_000_000)).toBeCloseTo(1, 0);
});

test.runIf(hasUsage)('processor time of a family includes children that have ended', () => {
  const before = processorSecondsOfFamily(pid) - processorSecondsOf(pid);
  const busy = `
    const usedMicroseconds = ({ user, system }) => user + system;
    while (usedMicroseconds(process.cpuUsage()) < 300_000);`;
  spawnSync(process.execPath, ['-e', busy]);
  expect(processorSecondsOfFamily(pid) - processorSecondsOf(pid) - before).toBeGreaterThan(0.25);
});
