import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPetStore, type DeprecationNotice, type PetStoreOptions } from '../index.ts';
import { createMemoryPetStore } from '../testing/index.ts';

const warn = vi.spyOn(console, 'warn').mockReturnValue();
afterEach(() => warn.mockClear());

async function callEverything(options: Partial<PetStoreOptions> = {}) {
  const store = createPetStore({ ...createMemoryPetStore(), ...options });
  const { id } = await store.createPet({ name: 'a', categoryId: 1 });
  await store.listPets();
  await store.getPet(id);
  await store.getPet(id);
  await store.safe.getPet(99);
}

describe('a deprecated operation', () => {
  test('causes one warning, with its date of removal and its documentation', async () => {
    await callEverything();
    expect(warn.mock.calls).toEqual([
      [
        '@petstore/client: getPet is deprecated and will be removed on Thu, 05 Dec 2030 00:00:00 GMT: ' +
          'see http://petstore.test/docs',
      ],
    ]);
  });

  test.each([{}, { sunset: 'soon' }, { sunset: 'never GMT' }, { link: '<http://[/>; rel="deprecation"' }])(
    'is reported without the date and the documentation that %o lacks',
    async (headers: Record<string, string>) => {
      const notices: DeprecationNotice[] = [];
      const fetch = async () => Response.json([], { headers: { deprecation: '@1', ...headers } });
      const onDeprecation = (notice: DeprecationNotice) => notices.push(notice);
      await createPetStore({ ...createMemoryPetStore(), fetch, onDeprecation }).listPets();
      const message = '@petstore/client: listPets is deprecated';
      expect(notices).toEqual([
        { operation: 'listPets', sunset: undefined, documentation: undefined, message },
      ]);
    },
  );
});
