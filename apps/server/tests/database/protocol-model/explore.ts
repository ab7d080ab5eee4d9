/** What can happen next in a state, and what would be wrong with it. A state is plain data. */
export interface Model<State> {
  start: State;
  /** Every state that one step of one party leads to, with the name of the step. */
  next(state: State): Iterable<readonly [step: string, state: State]>;
}

/** Thrown by a step that breaks a promise. */
export class Violation extends Error {}

export interface Exploration {
  /** Different states that were reached. */
  states: number;
  /** The promise that was broken first, and the steps that lead there. */
  violation?: { message: string; steps: string[] };
}

/**
 * Visits every state that any order of steps can reach, each once, and the nearest ones first: the steps to a violation
 * are as few as possible.
 * @throws Error when there are more states than `limit`
 */
export function explore<State>({ start, next }: Model<State>, limit = 2_000_000): Exploration {
  const seen = new Set([JSON.stringify(start)]);
  // The way to a state is its last step and the place of the state before.
  const ways = [{ step: 'start', before: -1 }];
  let frontier = [{ state: start, place: 0 }];
  const stepsTo = (place: number): string[] => {
    const steps: string[] = [];
    for (let way = ways[place]; way && way.before >= 0; way = ways[way.before]) steps.unshift(way.step);
    return steps;
  };
  while (frontier.length > 0) {
    const reached: typeof frontier = [];
    for (const { state, place } of frontier) {
      try {
        for (const [step, following] of next(state)) {
          const text = JSON.stringify(following);
          if (seen.has(text)) continue;
          seen.add(text);
          if (seen.size > limit) throw new Error(`There are more than ${limit} states`);
          reached.push({ state: following, place: ways.push({ step, before: place }) - 1 });
        }
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        return { states: seen.size, violation: { message: error.message, steps: stepsTo(place) } };
      }
    }
    frontier = reached;
  }
  return { states: seen.size };
}
