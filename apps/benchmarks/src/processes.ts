/** Pins processes to cores, and reads their processor time and memory, on Linux only. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const SERVER_CORE = '0';
export const LOAD_CORE = '1';
/** For a database, which may use the core of the server and the core of the load generator. */
export const BOTH_CORES = `${SERVER_CORE},${LOAD_CORE}`;

/** Whether processes can be pinned: the server and the load generator then have a core each. */
export const canPin = spawnSync('taskset', ['-c', BOTH_CORES, 'true'], { stdio: 'ignore' }).status === 0;

/** The command line that runs a program on the server's core. */
export const onServerCore = (command: string, arguments_: readonly string[]): [string, string[]] =>
  canPin ? ['taskset', ['-c', SERVER_CORE, command, ...arguments_]] : [command, [...arguments_]];

/** Moves this process, and the processes that it starts from now on, to these cores. */
export function moveTo(cores: string): void {
  if (canPin) spawnSync('taskset', ['-acp', cores, `${process.pid}`], { stdio: 'ignore' });
}

/** Resident memory of a process, in megabytes: VmRSS now, VmHWM at its peak (proc(5)). */
export function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${figure}:\\s*(\\d+) kB$`, 'm').exec(status) ?? [];
  return (Number(kilobytes) * 1024) / 1_000_000;
}

/** /proc shows processor time in hundredths of a second, whatever the timer frequency of the kernel. */
const TICKS_PER_SECOND = 100;

/** Processor time of all threads of a process, user and system together, in seconds. */
export const processorSecondsOf = (pid: number): number => readStat(pid).seconds;

/** Processor time of a process and its children, ended ones included, in seconds. */
export function processorSecondsOfFamily(pid: number): number {
  const { seconds, secondsOfEndedChildren } = readStat(pid);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, name) => {
    try {
      const child = readStat(Number(name));
      return child.parentPid === pid ? sum + child.seconds : sum;
    } catch {
      // The process has ended meanwhile.
      return sum;
    }
  }, seconds + secondsOfEndedChildren);
}

function readStat(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // From field 3 of proc(5) on, which has the index 0. Field 2, the command's name in parentheses, may have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17: utime, stime, cutime and cstime.
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number);
  return {
    parentPid: Number(fields[1]),
    seconds: (user + system) / TICKS_PER_SECOND,
    secondsOfEndedChildren: (userOfEnded + systemOfEnded) / TICKS_PER_SECOND,
  };
}
