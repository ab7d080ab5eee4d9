import { setFlagsFromString } from 'node:v8';

/**
 * What V8 reads only when it starts: young objects may take 3 times 8 MiB instead of 3 times 16, the default for machines
 * on which nothing else runs. Under load the process peaks at 133 instead of 167 MB.
 */
export const OPTIONS = ['--max-semi-space-size=8'];

/**
 * Replaces the process with one that has these options; it keeps its id. Workers inherit them from the primary.
 * Nothing happens where a parent process holds a channel to this one, which would be lost (`node --watch`), where the
 * system cannot replace a process (Windows), or where systemd passes a socket, which Node closes then: the unit gives the
 * options itself (deploy/systemd). So does the image: to replace the process takes 23 of 164 ms of processor time until
 * it listens (medians of nine starts).
 */
export function restartWithV8Options(): void {
  const { execArgv, argv, env, execPath, channel } = process;
  if (channel || env.LISTEN_FDS || OPTIONS.every((option) => execArgv.includes(option))) return;
  process.execve?.(execPath, [execPath, ...OPTIONS, ...execArgv, ...argv.slice(1)], env);
}

/**
 * Sets the options for requests, once the start is over: with them, V8 refuses the compiled code that Node brings of its
 * own modules. To compile those would be 10 to 14 % of the processor time of a start, and take 6 MB of memory (medians of nine
 * starts each, by turns).
 *
 * - The heap grows by 20 % before old objects are collected instead of doubling: 30,000 uncached lists on 32 connections
 *   peak at 134 instead of 144 MiB (medians of three new processes each, by turns). For that an uncached pet takes 1.02
 *   times the processor time, and a cached one as much as without it.
 * - A function is optimised after 1,500 calls instead of 3,000: a server settles after 4,000 to 6,000 requests of a kind
 *   instead of 12,000 to 15,000. From the 6,000th to the 14,000th a single pet takes 50 instead of 83 µs of processor time,
 *   a list 95 instead of 145, a creation 103 instead of 135. The first 6,000 take up to 1.3 times as much, all 14,000
 *   together 0.91 to 0.98 times, and later ones the same. Measured on new processes, 500 requests to one without it and one
 *   with it by turns.
 * - Not set is a lower limit for what is compiled into one function (`--max-inlined-bytecode-size-cumulative=450` instead
 *   of 920): the first 4,000 requests take 0.91 to 0.97 times as much (medians of nine new processes each), and later
 *   pets and creations 1.02 times (13 pairs of processes). Options for the other compilers made the first thousand no cheaper.
 */
export function setRequestOptions(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--invocation-count-for-turbofan=1500');
}
