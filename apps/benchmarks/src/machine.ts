import { cpus, release, totalmem, type } from 'node:os';
import { arePinned } from './cores.ts';
import { generatorName } from './load/generator.ts';

/** Says in one line when and where the figures were measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const pinning = arePinned
    ? 'server and load generator on a core each'
    : 'server and load generator not pinned';
  return [
    new Date().toISOString().slice(0, 10),
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}`,
    `${gigabytes} GiB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    generatorName,
    pinning,
  ].join(', ');
}
