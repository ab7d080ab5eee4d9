import { spawnSync } from 'node:child_process';

/** Whether a command is on this machine. */
export const hasCommand = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
