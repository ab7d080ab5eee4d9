import { spawnSync } from 'node:child_process';

/** The cores that this process may use, as taskset(1) numbers them; none if there is no taskset. */
const cores = parseCores(spawnSync('taskset', ['-cp', `${process.pid}`], { encoding: 'utf8' }).stdout ?? '');
const [serverCore, loadCore] = cores;

/** Whether the server and the load generator have a core each. */
export const arePinned = loadCore !== undefined;

/** Reads the list at the end of what taskset prints, for example `0,2-3`. */
export function parseCores(printed: string): number[] {
  const [, list = ''] = /: ([\d,-]+)\s*$/.exec(printed) ?? [];
  return list.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    return first === '' ? [] : range(Number(first), Number(last));
  });
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Moves this process, and with it the load generators that it starts, to the core of the load. */
export function moveToLoadCore(): void {
  if (loadCore !== undefined) moveTo([loadCore]);
}

/** Lets the processes that the work starts use all cores. A database belongs to neither side. */
export async function onAllCores<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!arePinned) return work();
  moveTo(cores);
  try {
    return await work();
  } finally {
    moveToLoadCore();
  }
}

function moveTo(list: readonly number[]): void {
  spawnSync('taskset', ['-acp', list.join(), `${process.pid}`], { stdio: 'ignore' });
}

/** The command line that runs a program on the server's core. */
export const onServerCore = (command: string, arguments_: string[]): [string, string[]] =>
  arePinned ? ['taskset', ['-c', `${serverCore}`, command, ...arguments_]] : [command, arguments_];

/** The command line that runs a program on the cores of this process. */
export const onSameCores: typeof onServerCore = (command, arguments_) => [command, arguments_];
