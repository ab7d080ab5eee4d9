import { type Engine, engines } from '@petstore/test-support/databases/databases';
import { chooseSeed } from '@petstore/test-support/seed';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';
import fc from 'fast-check';
import { test } from 'vitest';
import { list } from './commands.ts';
import { histories, runStep, type Step, shorten } from './history.ts';
import { Model } from './model.ts';
import { PetStore } from './pet-store.ts';

const { HISTORY, COMMANDS = '', MINUTES = '0.1' } = process.env;
const DURATION_MS = Number(MINUTES) * 60_000;
/** How long the last history may take, and then the search for a shorter one. */
const PATIENCE_MS = 120_000;

test.concurrent.each(engines)(
  'over %s, random histories of callers and operators agree with the model',
  async (engine) => {
    const seed = chooseSeed(`histories over ${engine}`);
    const start = performance.now();
    let count = 0;
    async function run(history: readonly Step[]): Promise<void> {
      await using store = await PetStore.start(engine);
      const model = new Model();
      // A key of the servers' configuration exists before the first command.
      const key = { name: 'configuration', scope: 'write', lifeMs: Infinity } as const;
      model.addKey(FIXED_KEY, key, { from: 0, to: 0 });
      for (const step of history) await runStep(step, model, store);
      for (let server = 0; server < store.serverCount; server += 1) await list(model, store, { server });
    }

    for (; performance.now() - start < DURATION_MS; count += 1) {
      if (HISTORY) await run(JSON.parse(HISTORY));
      // fast-check takes seeds of 32 bits.
      else await expectNoFailure(engine, (seed + count) | 0, run);
    }
    console.info(`${engine}: ${count} histories`);
  },
  DURATION_MS + 2 * PATIENCE_MS,
);

/** Runs a history. If it fails, looks for a shorter one that fails, and throws it. */
async function expectNoFailure(
  engine: Engine,
  seed: number,
  run: (history: readonly Step[]) => Promise<void>,
): Promise<void> {
  const failureOf = (steps: readonly Step[]) =>
    run(steps).then(
      () => undefined,
      (error: unknown) => ({ steps, error }),
    );
  const failure = await failureOf(chooseHistory(seed));
  if (failure === undefined) return;
  const { steps, error } = await shorten(failure, failureOf, PATIENCE_MS);
  const text = JSON.stringify(steps);
  throw new Error(
    `This history fails over ${engine}:
  ${text}
Repeat it: DATABASES=${engine} HISTORY='${text}' pnpm test:histories
Repeat the search: DATABASES=${engine} SEED=${seed} COMMANDS='${COMMANDS}' pnpm test:histories
${error}`,
    { cause: error },
  );
}

/** Groups of commands. A history has a random choice of them: the fewer it has, the more calls of each. */
const GROUPS =
  'get|lose|remove change|restart stall|start delay|issue rotate revoke wait|backup restore|copy'.split('|');

function chooseHistory(seed: number): Step[] {
  // With fast-check's bias, the only value that is drawn from a seed would often be small or the greatest.
  const options = { seed, numRuns: 1, unbiased: true };
  const [chosen = []] = fc.sample(fc.subarray(GROUPS), options);
  const names = (COMMANDS || ['add', 'list', ...chosen].join(' ')).split(' ');
  const [history = []] = fc.sample(histories(names), options);
  return history;
}
