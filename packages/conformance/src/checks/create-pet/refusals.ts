import { type Check, checks, isOfInterface } from '../../check.ts';
import { expectStatus } from '../../http/response.ts';
import { expectCount } from '../../pages.ts';
import { uniquePet } from '../../pets.ts';
import { sharedSamples } from '../../samples/access.ts';
import { creationSamples } from '../../samples/creation.ts';
import { type Sample, sendSample } from '../../samples/sample.ts';

/** A careless service could add the pets of refused requests. */
const expectNothingStored =
  (isChecked: (sample: Sample) => boolean): Check['run'] =>
  async (target) => {
    const pet = uniquePet();
    for (const sample of [...creationSamples, ...sharedSamples].filter(isChecked)) {
      const { operation, status } = sample;
      if (operation !== 'createPet' || status < 400) continue;
      expectStatus(await sendSample(target, sample, { pet }), status);
    }
    await expectCount(target, pet, 0);
  };

export const refusals: Check[] = [
  ...checks('interface: createPet', {
    'A request that createPet refuses leaves no pet behind': expectNothingStored(isOfInterface),
  }),
  ...checks('decision: other failures', {
    'A request that only the contract refuses leaves no pet behind': expectNothingStored(
      (sample) => !isOfInterface(sample),
    ),
  }),
];
