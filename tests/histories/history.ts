import fc from 'fast-check';
import { commands } from './commands.ts';
import type { Model } from './model.ts';
import type { Options, PetStore } from './pet-store.ts';

/** A command with its options. */
interface Call {
  name: string;
  options: Options;
}

/** One call, or the calls of several callers at once. */
export class Step implements fc.AsyncCommand<Model, PetStore> {
  readonly #calls: readonly Call[];

  constructor(calls: readonly Call[]) {
    this.#calls = calls;
  }

  check = () => true;

  async run(model: Model, store: PetStore): Promise<void> {
    const isAlone = this.#calls.length === 1;
    const results = await Promise.allSettled(
      this.#calls.map(async ({ name, options }) => {
        const { run, timesAtOnce } = commandOf(name);
        for (let time = 0; time < (isAlone ? 1 : timesAtOnce); time += 1) await run(model, store, options);
      }),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  toString(): string {
    return this.#calls.map(formatCall).join(' + ');
  }
}

function commandOf(name: string) {
  const command = commands[name];
  if (command === undefined) throw new Error(`${name} is none of ${Object.keys(commands)}`);
  return command;
}

/** Writes a call as `add key=1 body=2`. */
function formatCall({ name, options }: Call): string {
  const given = Object.entries(options).filter(([, value]) => value !== 0);
  return [name, ...given.map((option) => option.join('='))].join(' ');
}

/** Reads a history as it was printed: steps between semicolons, callers at once between plus signs. */
export const parseHistory = (text: string): Step[] =>
  text.split(';').map((step) => new Step(step.split('+').map(parseCall)));

function parseCall(text: string): Call {
  const [name = '', ...options] = text.trim().split(/\s+/);
  const pairs = options.map((option) => option.split('='));
  return { name, options: Object.fromEntries(pairs.map(([option, value]) => [option, Number(value)])) };
}

const callsOf = (name: string): fc.Arbitrary<Call> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(commandOf(name).options).map(([option, max]) => [
          option,
          fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat({ max }) }),
        ]),
      ),
    )
    .map((options) => ({ name, options }));

const anyOf = (names: readonly string[]) =>
  fc.oneof(...names.map((name) => ({ weight: commandOf(name).weight, arbitrary: callsOf(name) })));

/** Histories that have some of the commands. Short ones would spend their time with the start of servers. */
export function histories(names: readonly string[]): fc.Arbitrary<Step[]> {
  const alone = anyOf(names).map((call) => new Step([call]));
  const namesAtOnce = names.filter((name) => commandOf(name).timesAtOnce);
  const atOnce = fc.array(anyOf(namesAtOnce), { minLength: 2, maxLength: 8 }).map((calls) => new Step(calls));
  const step = fc.oneof({ weight: 5, arbitrary: alone }, { weight: 1, arbitrary: atOnce });
  return fc.array(step, { minLength: 20, maxLength: 80, size: 'max' });
}

/** So many histories are tried at once, because they wait for servers most of the time. */
const TRIES = [0, 1, 2];

interface Failure {
  steps: readonly Step[];
  error: unknown;
}

/**
 * Leaves out steps, first many and then few at once, as long as the rest fails. The search of fast-check would try many
 * more histories, and each of them starts a server.
 * @param failureOf runs steps
 */
export async function shorten(
  failure: Failure,
  failureOf: (steps: readonly Step[]) => Promise<Failure | undefined>,
  limitMs: number,
): Promise<Failure> {
  const end = performance.now() + limitMs;
  let shortest = failure;
  for (let count = shortest.steps.length >> 1; count > 0 && performance.now() < end; ) {
    const { steps } = shortest;
    for (let start = 0; start < shortest.steps.length && performance.now() < end; ) {
      const starts = TRIES.map((index) => start + index * count).filter((at) => at < shortest.steps.length);
      const tries = await Promise.all(starts.map((at) => failureOf(shortest.steps.toSpliced(at, count))));
      const failed = tries.findIndex((found) => found !== undefined);
      shortest = tries[failed] ?? shortest;
      start = starts[failed] ?? start + TRIES.length * count;
    }
    // As long as a single step can go, others may follow it.
    if (count > 1 || shortest.steps === steps) count >>= 1;
  }
  return shortest;
}
