import type { Check, Citation } from '../../check.ts';
import { type Operation, operations } from '../../operations.ts';
import { oneOfEachCode, type Sample } from '../../samples/sample.ts';
import type { Target } from '../../target.ts';

/** States a rule of all responses: creates a check for each operation and status, which replace the `…` of the sentence. */
export const rule =
  (
    cites: Citation,
    sentence: string,
    expectRule: (target: Target, sample: Sample, operation?: Operation) => Promise<unknown>,
  ) =>
  (samples: readonly Sample[]): Check[] => {
    const kinds = Map.groupBy(samples, ({ operation = 'No operation', status }) => `${operation} ${status}`);
    return Array.from(kinds, ([kind, some]) => ({
      name: sentence.replace('…', kind),
      cites,
      readOnly: some.every(({ readOnly }) => readOnly),
      async run(target) {
        for (const sample of oneOfEachCode(some)) {
          await expectRule(
            target,
            sample,
            operations.find(({ name }) => name === sample.operation),
          );
        }
      },
    }));
  };
