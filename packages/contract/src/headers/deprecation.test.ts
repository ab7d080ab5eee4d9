import { expect, test } from 'vitest';
import { getPetDeprecation } from '../v1/pets.ts';
import { v1 } from '../v1/v1.ts';

test('getPet is removed by its sunset date', () => {
  const isRemoved = !('getPet' in v1.contract.pets);
  const sunset = getPetDeprecation.sunset.getTime();
  expect(isRemoved || Date.now() < sunset, 'The sunset date is past: remove getPet from the contract').toBe(
    true,
  );
});
