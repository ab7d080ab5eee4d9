import fc from 'fast-check';
import type { Options } from './callers.ts';
import { commands } from './commands.ts';
import type { Model } from './model.ts';
import type { PetStore } from './pet-store.ts';

interface Call {
  name: string;
  options: Options;
}

/** One call, or the calls of several callers at once. Each of several may repeat its call, so that more overlap. */
export type Step = readonly Call[];

export async function runStep(calls: Step, model: Model, store: PetStore): Promise<void> {
  const results = await Promise.allSettled(
    calls.map(async ({ name, options }) => {
      const { run, runsBesideOthers = 0 } = commandOf(name);
      const runs = calls.length > 1 ? runsBesideOthers : 1;
      for (let count = 0; count < runs; count += 1) await run(model, store, options);
    }),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function commandOf(name: string) {
  const command = commands[name];
  if (command === undefined) throw new Error(`${name} is none of ${Object.keys(commands)}`);
  return command;
}

/** Calls of a command. An option is 0, the usual choice, in a third of the calls or more. */
function callsOf(name: string): fc.Arbitrary<Call> {
  const optionOf = (max: number) =>
    fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat({ max }) });
  const entries = Object.entries(commandOf(name).options).map(([key, max]) => [key, optionOf(max)] as const);
  return fc.record(Object.fromEntries(entries)).map((options) => ({ name, options }));
}

const anyOf = (names: readonly string[]) =>
  fc.oneof(...names.map((name) => ({ weight: commandOf(name).weight, arbitrary: callsOf(name) })));

/** Histories of the named commands. Short histories would spend their time with the start of servers. */
export function histories(names: readonly string[]): fc.Arbitrary<Step[]> {
  const alone = anyOf(names).map((call) => [call]);
  const namesAtOnce = names.filter((name) => commandOf(name).runsBesideOthers);
  const atOnce = fc.array(anyOf(namesAtOnce), { minLength: 2, maxLength: 8 });
  const step = fc.oneof({ weight: 5, arbitrary: alone }, { weight: 1, arbitrary: atOnce });
  // The default size allows 50 steps (2 × 20 + 10).
  return fc.array(step, { minLength: 20, maxLength: 80, size: 'max' });
}

interface Failure {
  steps: readonly Step[];
  error: unknown;
}

/**
 * Looks for a shorter history that fails. Leaves out steps, first many at once and then fewer, if the other steps still
 * fail. The search of fast-check would try many more histories, and each of them starts a server.
 * @param failureOf runs steps, and returns their failure
 */
export async function shorten(
  failure: Failure,
  failureOf: (steps: readonly Step[]) => Promise<Failure | undefined>,
  limitMs: number,
): Promise<Failure> {
  const end = performance.now() + limitMs;
  let shortest = failure;
  for (let count = failure.steps.length >> 1; count > 0; count >>= 1) {
    let start = 0;
    while (start < shortest.steps.length && performance.now() < end) {
      const failed = await failureOf(shortest.steps.toSpliced(start, count));
      if (failed === undefined) start += count;
      else shortest = failed;
    }
  }
  return shortest;
}
