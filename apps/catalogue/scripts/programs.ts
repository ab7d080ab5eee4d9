/** Programs that end with this process, and start again when files change. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const stopping = new AbortController();
const children = new Set<ChildProcess>();

/** Aborted by {@link stop}. */
export const { signal } = stopping;

/** Ends all programs. @param graceMs how long programs may take to end before they get SIGTERM */
export function stop(graceMs = 0): void {
  stopping.abort();
  const endAll = () => {
    for (const child of children) child.kill();
  };
  setTimeout(endAll, graceMs).unref();
}

process.on('SIGTERM', () => stop()).on('SIGHUP', () => stop());
// The terminal sends Ctrl-C to the children too. The server takes a second signal as a request to end at once.
process.on('SIGINT', () => stop(2_000));

interface Program {
  file: string;
  args: readonly string[];
  /** Replaces the environment of this process. */
  env: NodeJS.ProcessEnv;
  onEnd?(code: number | null): void;
}

/** @returns a function that starts or restarts the program */
export function restartable({ file, args, env, onEnd }: Program): () => void {
  let child: ChildProcess | undefined;
  const start = () => {
    const run = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env });
    child = run;
    children.add(run);
    run.on('close', (code) => {
      children.delete(run);
      if (run.killed && !signal.aborted) start();
      else onEnd?.(code);
    });
  };
  return () => {
    if (signal.aborted) return;
    if (child !== undefined && children.has(child)) child.kill();
    else start();
  };
}

/** Calls a function 200 ms after the last change below some folders. @returns once it watches all folders */
export async function onChange(
  folders: readonly string[],
  isWatched: (file: string) => boolean,
  call: () => void,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...folders], { cwd: ROOT, ignoreInitial: true }).on('all', (_, file) => {
    if (!isWatched(file)) return;
    clearTimeout(timer);
    timer = setTimeout(call, 200);
  });
  signal.addEventListener('abort', () => watcher.close());
  await once(watcher, 'ready');
}
