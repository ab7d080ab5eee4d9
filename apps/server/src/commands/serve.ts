import cluster from 'node:cluster';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { runWorkers } from '../process/workers.ts';
import { serve } from '../serve.ts';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .action(() => {
      const config = readConfig();
      return config.WORKERS > 1 && cluster.isPrimary ? runWorkers(config) : serve(config);
    });
}
