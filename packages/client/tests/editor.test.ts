import { describe, expect, test } from 'vitest';
import { openInEditor } from './support/language-server.ts';

const PREAMBLE = `import { createPetStore } from '@petstore/client';
const store = createPetStore({ baseUrl: 'http://localhost:3000/v1', apiKey: 'pst_…' });
`;

describe('an editor', () => {
  const shown = {
    'store.listPets':
      'Operations<SuccessBodies, CallOptions, CreateOptions>.listPets(query?: ListPetsQuery, options?: CallOptions | undefined): Promise<Pets>',
    'store.createPet':
      'Operations<SuccessBodies, CallOptions, CreateOptions>.createPet(newPet: NewPet, options?: CreateOptions | undefined): Promise<Pet>',
    'store.getPet':
      'Operations<SuccessBodies, CallOptions, CreateOptions>.getPet(petId: PetId, options?: CallOptions | undefined): Promise<Pet>',
    'store.pets': 'PetStore.pets(query?: PetsQuery, options?: CallOptions): PetPaginator',
    'store.withResponse.createPet':
      'Operations<SuccessResponses, CallOptions, CreateOptions>.createPet(newPet: NewPet, options?: CreateOptions | undefined): Promise<SuccessResponse<"createPet">>',
    'store.safe.createPet':
      'Operations<SafeResults, CallOptions, CreateOptions>.createPet(newPet: NewPet, options?: CreateOptions | undefined): Promise<Failure | PetStoreResponse<"createPet">>',
  };

  test('shows each operation in one line, with the names of the interface', async () => {
    await using editor = await openInEditor(`${PREAMBLE}${Object.keys(shown).join(';\n')};\n`);
    for (const [code, line] of Object.entries(shown)) {
      expect(await editor.hover(code)).toContain(`(method) ${line}\n`);
    }
    expect(await editor.hover('store.getPet')).toContain('to be removed on 5 December 2030');
  });

  test('strikes the deprecated operation through, and no other', async () => {
    await using editor = await openInEditor(
      `${PREAMBLE}store.listPets();\nstore.createPet({ name: 'a', categoryId: 1 });\nstore.getPet(1);\n`,
    );
    expect(await editor.diagnostics()).toMatchObject([{ line: 5, deprecated: true }]);
  });
});

describe('the compiler', () => {
  const mistakes = [
    [
      'an unknown status',
      "store.listPets({ status: 'lost' });",
      `Type '"lost"' is not assignable to type 'PetStatus | undefined'.`,
    ],
    [
      'a missing name',
      'store.createPet({ categoryId: 1 });',
      "Property 'name' is missing in type '{ categoryId: number; }' but required in type 'NewPet'.",
    ],
    [
      'an unknown option',
      'store.listPets({}, { timeout: 5 });',
      "Object literal may only specify known properties, but 'timeout' does not exist in type 'CallOptions'. " +
        "Did you mean to write 'timeoutMs'?",
    ],
    [
      'a body that may be missing',
      'response.body;',
      `Property 'body' does not exist on type 'Failure | PetStoreResponse<"createPet">'.\n  ` +
        "Property 'body' does not exist on type 'Failure'.",
    ],
    [
      'an id that is read from a response that may be an Error',
      "if (response.status !== 'failed') response.body.id;",
      "Property 'id' does not exist on type 'ErrorBody | Pet'.\n  Property 'id' does not exist on type 'ErrorBody'.",
    ],
    ['an id of a page', '(await store.listPets()).id;', "Property 'id' does not exist on type 'Pets'."],
  ] as const;

  test('reports each mistake in a short message', async () => {
    const lines = mistakes.map(([, code]) => `${code}\n`).join('');
    const declaration = "const response = await store.safe.createPet({ name: 'a', categoryId: 1 });\n";
    await using editor = await openInEditor(PREAMBLE + declaration + lines);
    const first = PREAMBLE.split('\n').length + 1;
    expect(await editor.diagnostics()).toEqual(
      mistakes.map(([, , message], index) => ({ line: first + index, message, deprecated: false })),
    );
  });
});
