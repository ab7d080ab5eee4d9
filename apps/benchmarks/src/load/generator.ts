import { hasCommand } from '../command.ts';
import { autocannon } from './autocannon.ts';
import { wrk } from './wrk.ts';

const hasWrk = hasCommand('wrk');

export const generatorName = hasWrk ? 'wrk' : 'autocannon';

/** Sends a load with wrk where it is on the machine, with autocannon otherwise. */
export const generate = hasWrk ? wrk : autocannon;
