import { spawnSync } from 'node:child_process';

/** Whether this machine has a command. */
export const hasCommand = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
