import type { Check, Citation } from '../../check.ts';
import type { Target } from '../../http/target.ts';
import { type Operation, operations } from '../../operations.ts';
import { oneOfEachCode, type Sample } from '../../samples/sample.ts';

type ExpectRule = (target: Target, sample: Sample, operation?: Operation) => Promise<unknown>;

/**
 * Defines a rule that holds for all responses.
 * @returns a function that creates a check for each operation with each status of the samples that it gets
 */
export const defineRule =
  (cites: Citation, sentence: string, expectRule: ExpectRule) =>
  (samples: readonly Sample[]): Check[] => {
    const kinds = Map.groupBy(samples, ({ operation = 'No operation', status }) => `${operation} ${status}`);
    return Array.from(kinds, ([kind, ofKind]) => ({
      // An example is `createPet 400 has the headers that the contract requires`.
      name: sentence.replace('…', kind),
      cites,
      readOnly: ofKind.every(({ readOnly }) => readOnly),
      async run(target) {
        for (const sample of oneOfEachCode(ofKind)) {
          const operation = operations.find(({ name }) => name === sample.operation);
          await expectRule(target, sample, operation);
        }
      },
    }));
  };
