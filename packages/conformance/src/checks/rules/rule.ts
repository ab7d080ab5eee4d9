import type { Check, Citation } from '../../check.ts';
import type { Target } from '../../http/target.ts';
import { type Operation, operations } from '../../operations.ts';
import { oneOfEachCode, type Sample } from '../../samples/sample.ts';

type ExpectRule = (target: Target, sample: Sample, operation?: Operation) => Promise<unknown>;

/**
 * Makes the checks of a rule that holds for all responses. There is one for each operation with each status, such as
 * `createPet 400`, which replaces the `…` of the sentence.
 */
export const defineRule =
  (cites: Citation, sentence: string, expectRule: ExpectRule) =>
  (samples: readonly Sample[]): Check[] => {
    const kinds = Map.groupBy(samples, ({ operation = 'No operation', status }) => `${operation} ${status}`);
    return Array.from(kinds, ([kind, ofKind]) => ({
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
