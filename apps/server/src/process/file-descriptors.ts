import { existsSync, readFileSync } from 'node:fs';

/** The limit of open file descriptors; `Infinity` where the system states none: only Linux has the file. */
export function maxFileDescriptors(file = '/proc/self/limits'): number {
  const limits = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}
