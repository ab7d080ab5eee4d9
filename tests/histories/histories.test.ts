import { type Engine, engines } from '@petstore/test-support/databases/databases';
import { chooseSeed } from '@petstore/test-support/seed';
import { FIXED_KEY } from '@petstore/test-support/servers/server-process';
import fc from 'fast-check';
import { test } from 'vitest';
import { list } from './commands.ts';
import { formatHistory, histories, parseHistory } from './history.ts';
import { Model } from './model.ts';
import { PetStore } from './pet-store.ts';

type Steps = Iterable<fc.AsyncCommand<Model, PetStore>>;

const { HISTORY, COMMANDS, MINUTES = '0.5' } = process.env;
const DURATION_MS = Number(MINUTES) * 60_000;
/** How long the search for a shorter history may take. */
const SHRINK_MS = 60_000;

test.concurrent.each(engines)(
  'over %s, random histories of callers and operators agree with the model',
  async (engine) => {
    await using stores = startAhead(engine);
    const seed = chooseSeed(`histories over ${engine}`);
    const start = performance.now();
    const elapsed = () => performance.now() - start;
    let [count, steps] = [0, 0];
    async function run(history: Steps): Promise<void> {
      await using store = await stores.next();
      const model = new Model();
      model.addKey(
        FIXED_KEY,
        { name: 'configuration', scope: 'write', lifeMs: Infinity },
        { from: 0, to: 0 },
      );
      await fc.asyncModelRun(() => ({ model, real: store }), counted(history));
      for (let server = 0; server < store.serverCount; server += 1) await list(model, store, { server });
    }
    function* counted(history: Steps) {
      for (const step of history) {
        yield step;
        steps += 1;
      }
    }

    const report = () => {
      const rate = (steps / elapsed()) * 1_000;
      console.info(`${engine}: ${count} histories, ${steps} steps, ${rate.toFixed(1)} a second`);
    };
    for (; elapsed() < DURATION_MS; count += 1) {
      if (HISTORY) await run(parseHistory(HISTORY));
      else await expectNoFailure(engine, (seed + count) | 0, run, report);
    }
    report();
  },
  DURATION_MS + SHRINK_MS + 120_000,
);

/** Runs one random history. If it fails, looks for a shorter one that fails, and throws it. */
async function expectNoFailure(
  engine: Engine,
  seed: number,
  run: (history: Steps) => Promise<void>,
  report: () => void,
) {
  let giveUpAt = Infinity;
  const maxCommands = seed % 2 === 0 ? 10 : 80;
  const property = fc.asyncProperty(histories(chooseCommands(seed), maxCommands), async (history) => {
    if (performance.now() > giveUpAt) return;
    try {
      await run(history);
    } catch (error) {
      if (giveUpAt === Infinity) {
        report();
        giveUpAt = performance.now() + SHRINK_MS;
      }
      throw error;
    }
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns: 1 });
  if (!failed) return;
  const history = formatHistory(counterexample?.[0] ?? []);
  throw new Error(
    `This history fails over ${engine}:
  ${history}
Repeat it: DATABASES=${engine} HISTORY='${history}' pnpm test:histories
Repeat the search: DATABASES=${engine} SEED=${seed} pnpm test:histories
${errorInstance}`,
    { cause: errorInstance },
  );
}

/** Commands that a history has by chance: a history of fewer commands has more of each. */
const GROUPS = [
  'get',
  'lose',
  'remove change',
  'restart stall',
  'start',
  'issue rotate revoke wait',
  'backup restore',
  'copy',
];

function chooseCommands(seed: number): string[] {
  const [chosen = []] = fc.sample(fc.subarray(GROUPS), { seed, numRuns: 1 });
  return (COMMANDS ?? ['add', 'list', ...chosen].join(' ')).split(' ');
}

/** Starts a pet store while the one before is in use. */
function startAhead(engine: Engine) {
  const start = () => {
    const starting = PetStore.start(engine);
    // Who takes the pet store gets the error.
    starting.catch(() => {});
    return starting;
  };
  let following = start();
  return {
    next() {
      const store = following;
      following = start();
      return store;
    },
    [Symbol.asyncDispose]: async () => (await following)[Symbol.asyncDispose](),
  };
}
