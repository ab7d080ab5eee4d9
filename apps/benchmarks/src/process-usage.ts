import { readdirSync, readFileSync } from 'node:fs';

/** Whether this system has the /proc that usage is read from: see proc(5). */
export const hasUsage = process.platform === 'linux';

/**
 * Resident memory of a process, in megabytes.
 *
 * @param figure VmRSS for what it is now, VmHWM for its peak
 */
export function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${figure}:\\s*(\\d+) kB$`, 'm').exec(status) ?? [];
  return (Number(kilobytes) * 1024) / 1_000_000;
}

/** Linux counts processor time in hundredths of a second, whatever the clock of the kernel. */
const TICKS_PER_SECOND = 100;

/** Processor time that all threads of a process have used, in the program and for it in the kernel, in seconds. */
export const processorSecondsOf = (pid: number): number => readStat(pid).seconds;

/** The same of a process with its children, also with those that have ended, such as a PostgreSQL server. */
export function processorSecondsOfFamily(pid: number): number {
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readStat(Number(name))];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
  const { seconds, secondsOfEndedChildren } = readStat(pid);
  return children
    .filter(({ parent }) => parent === pid)
    .reduce((sum, child) => sum + child.seconds, seconds + secondsOfEndedChildren);
}

export const parentOf = (pid: number): number => readStat(pid).parent;

function readStat(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the command, which is the second field, may have spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0, , , , , , , , , , user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields;
  return {
    parent,
    seconds: (user + system) / TICKS_PER_SECOND,
    secondsOfEndedChildren: (userOfEnded + systemOfEnded) / TICKS_PER_SECOND,
  };
}
