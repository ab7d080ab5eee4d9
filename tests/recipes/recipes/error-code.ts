import { after, type Recipe, replace } from '../recipe.ts';

/** A pet that was there once: getPet of the id 0 returns 410. */
export const errorCode: Recipe = {
  heading: 'An error code',
  steps: [
    {
      file: 'packages/contract/src/error.ts',
      edit: after(
        "path_not_found: { status: 404, description: 'Nothing is at this path' },\n",
        "  pet_gone: { status: 410, description: 'The pet has left the store' },\n",
      ),
      named: '"pet_gone"',
    },
    {
      file: 'packages/contract/src/v1/pets.ts',
      edit: replace("errorCodes: ['pet_not_found', ", "errorCodes: ['pet_not_found', 'pet_gone', "),
      noticedBy: 'packages/contract/src/openapi/document.test.ts',
      named: 'src/v1',
    },
    {
      file: 'packages/contract/src/v1/pets.ts',
      edit: replace('404: ErrorBody, 412', '404: ErrorBody, 410: ErrorBody, 412'),
      noticedBy: 'packages/contract/src/error.test.ts',
      named: 'src/v1',
    },
    {
      file: 'apps/server/src/v1/pets.ts',
      edit: after(
        'async getPet({ params: { petId }, operation }) {\n',
        "      if (BigInt(petId) === 0n) throw new HttpError('pet_gone');\n",
      ),
      noticedBy: 'tests/error-codes.test.ts',
      named: 'apps/server/src/v1',
    },
  ],
};
