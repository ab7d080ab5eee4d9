import { hasCommand } from '../has-command.ts';
import { autocannon } from './autocannon.ts';
import type { Generator } from './load.ts';
import { wrk } from './wrk.ts';

const hasWrk = hasCommand('wrk');

export const generatorName = hasWrk ? 'wrk' : 'autocannon';

/** Sends a load: with wrk if this machine has it, otherwise with autocannon. */
export const generate: Generator = hasWrk ? wrk : autocannon;
