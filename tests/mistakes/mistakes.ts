/** A mistake that must not compile: in a file, the text that is there and the text that replaces it. */
export type Mistake = readonly [title: string, file: string, from: string, to: string];

const CONTRACT = 'packages/contract/src/v1/pets.ts';
const PET = 'packages/contract/src/v1/pet.ts';
const HANDLERS = 'apps/server/src/pets/handlers-v1.ts';
const REPOSITORY = 'apps/server/src/pets/repository.ts';
const TABLES = 'apps/server/src/database/tables.ts';
const SELECTION = "['pets.id', 'pets.name', 'pets.category_id as categoryId', 'pets.status']";
/** Between the last property and the first line of the example, which has each property too. */
const END_OF_PROPERTIES =
  '};\n\n/** A pet with every property, for documentation and tests. ' +
  'A new property does not compile until it is here. */\nconst example = {\n';

export const mistakes: readonly Mistake[] = [
  ['an operation loses an error that its handler returns', CONTRACT, ", ...errors('pet_not_found')", ''],
  [
    'an operation states an error that has no status',
    CONTRACT,
    "errors('pet_not_found'",
    "errors('pet_lost'",
  ],
  ['an operation states a header that does not exist', CONTRACT, "['Location',", "['Locatoin',"],
  [
    'an operation states a header of a status that it does not have',
    CONTRACT,
    "304: ['Link']",
    "204: ['Link']",
  ],
  [
    'an operation describes a success that it does not have',
    CONTRACT,
    "successes: { 201: 'Pet",
    "successes: { 299: 'Pet",
  ],
  ['an operation has a scope that does not exist', CONTRACT, "scope: 'write'", "scope: 'admin'"],
  ['an operation changes the body of its success', CONTRACT, '200: Pets,', '200: Pet,'],
  ['an operation changes the status of its success', CONTRACT, '201: Pet,', '200: Pet,'],
  ['an operation renames its parameter', CONTRACT, '{ petId: PetId }', '{ id: PetId }'],
  ['an operation has no handler', CONTRACT, '  getPet: operation({', '  fetchPet: operation({'],
  [
    'a property has no column',
    PET,
    END_OF_PROPERTIES,
    `  owner: text('The owner').optional(),\n${END_OF_PROPERTIES}  owner: 'Ana',\n`,
  ],
  ['a property changes its type', PET, 'status: PetStatus.optional()', 'status: Int64.optional()'],
  ['a property of the example is missing', PET, "  name: 'Ñandú',\n", ''],
  ['a property of the example is a bigint', PET, '  categoryId: 7,\n', '  categoryId: 7n,\n'],
  [
    'a handler returns an error of another operation',
    HANDLERS,
    "refuse('pet_not_found'",
    "refuse('idempotency_key_reused'",
  ],
  [
    'createPet returns an error that it does not state',
    HANDLERS,
    "refuse('overloaded')",
    "refuse('pet_not_found')",
  ],
  [
    'a handler returns an error with another status',
    HANDLERS,
    "refuse('overloaded')",
    "{ status: 503, body: { code: 'idempotency_key_reused', message: '', status: 503 } }",
  ],
  [
    'a handler returns a success that the operation does not have',
    HANDLERS,
    '{ status: 201, body: pet }',
    '{ status: 202, body: pet }',
  ],
  [
    'a handler returns a body without a required property',
    HANDLERS,
    '{ status: 201, body: pet }',
    '{ status: 201, body: { id: pet.id } }',
  ],
  ['a creation has no caller', HANDLERS, '          caller: callerOf(res),\n', ''],
  ['a handler misspells a header', HANDLERS, 'Location: `', 'Locatoin: `'],
  [
    'a handler sets a header of another operation',
    HANDLERS,
    "'Idempotency-Replayed': outcome",
    'Link: outcome',
  ],
  [
    'a handler sets headers for another status',
    HANDLERS,
    '<typeof pets.createPet, 201>',
    '<typeof pets.createPet, 200>',
  ],
  [
    'a handler reads a parameter that does not exist',
    HANDLERS,
    'readPage(db, query)',
    'readPage(db, { limit: query.offset })',
  ],
  [
    'a selection has a column that callers must not see',
    REPOSITORY,
    SELECTION,
    SELECTION.replace(']', ", 'pets.created_by']"),
  ],
  ['a selection lacks a property', REPOSITORY, SELECTION, SELECTION.replace("'pets.name', ", '')],
  [
    'a selection gives a column another name',
    REPOSITORY,
    SELECTION,
    SELECTION.replace('as categoryId', 'as category'),
  ],
  [
    'a selection names a column that does not exist',
    REPOSITORY,
    SELECTION,
    SELECTION.replace('pets.name', 'pets.nam'),
  ],
  ['an order names a column that does not exist', REPOSITORY, ".orderBy('status')", ".orderBy('state')"],
  ['a condition names a column that does not exist', REPOSITORY, "eb('id', '>='", "eb('idd', '>='"],
  [
    'a condition compares a column with another type',
    REPOSITORY,
    "eb('id', '>=', from)",
    "eb('name', '>=', from)",
  ],
  [
    'a prepared query names a value that does not exist',
    REPOSITORY,
    '(db, { id }: Placeholders<',
    '(db, { petId: id }: Placeholders<',
  ],
  [
    'a prepared query gets a value of another type',
    REPOSITORY,
    'petById(db, { id })',
    'petById(db, { id: String(id) })',
  ],
  ['an optional property is not mapped from null', REPOSITORY, '  status: row.status ?? undefined,\n', ''],
  ['a new pet lacks a column', REPOSITORY, '  category_id: pet.categoryId,\n', ''],
  ['a column has another type than its property', TABLES, 'category_id: Int64', 'category_id: string'],
  [
    'a column is required where its property is optional',
    TABLES,
    'status: PetStatus | null',
    'status: PetStatus',
  ],
  ['a table has no primary key', TABLES, "  api_keys: 'hash',\n", ''],
  [
    'a table has no privileges',
    'apps/server/src/database/postgres/privileges.ts',
    "  api_keys: ['select', 'insert', 'update'],\n",
    '',
  ],
  [
    'the client lists pets by a parameter that does not exist',
    'packages/client/src/paginate.ts',
    'pageSize',
    'limit',
  ],
  [
    'the store in memory lacks an operation',
    'packages/client/src/testing/pet-routes.ts',
    'async getPet(',
    'async fetchPet(',
  ],
  [
    'the catalogue shows a property that does not exist',
    'apps/catalogue/src/pages/animal-parts.tsx',
    "Pick<Pet, 'name'>",
    "Pick<Pet, 'title'>",
  ],
  [
    'the form of the catalogue lacks a property',
    'apps/catalogue/src/new-pet-form.ts',
    '  categoryId: {',
    '  category: {',
  ],
  [
    'the suite needs a property that does not exist',
    'packages/conformance/src/pets/pets.ts',
    'categoryId: 1',
    'category: 1',
  ],
];
