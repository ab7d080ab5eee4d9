import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both halves together. With a quarter of it a creation takes a fifth longer; with more, nothing gets faster. */
const ENOUGH_BYTES = 8 * 1024 * 1024;

/**
 * Keeps V8's room for young objects at the size that pays. Under load V8 would let it grow to 64 MB. The flag
 * that limits it is read when a process starts only, but the one that lets it grow always is.
 */
export function limitYoungGeneration(): void {
  let mayGrow = true;
  const look = () => {
    if (mayGrow === findCapacity() < ENOUGH_BYTES) return;
    mayGrow = !mayGrow;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  look();
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
}

const findCapacity = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
