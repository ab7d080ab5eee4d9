import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { serve } from '../serve.ts';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .action(() => serve(readConfig()));
}
