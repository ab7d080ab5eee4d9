import { type ChildProcess, execFileSync } from 'node:child_process';

/** Samples the resident memory of a process. `stop` returns the highest, in MiB. */
export function watchMemory({ pid }: ChildProcess): { stop(): number } {
  let peak = 0;
  const sample = () => {
    try {
      const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' });
      peak = Math.max(peak, Math.round(Number(kibibytes) / 1024));
    } catch {
      // The process has ended.
    }
  };
  const timer = setInterval(sample, 1_000);
  return {
    stop() {
      sample();
      clearInterval(timer);
      return peak;
    },
  };
}
