import { readFileSync } from 'node:fs';

/** How many file descriptors this process may have open; `Infinity` where the system does not tell. */
export function maxFileDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
