import { after, inTurn, listMigration, type Recipe } from '../recipe.ts';

/** A breed: every pet has one. */
export const requiredField: Recipe = {
  heading: 'A required field of a pet',
  steps: [
    {
      file: 'packages/contract/src/v1/pet.ts',
      edit: inTurn(
        after(
          'status: z.optional(PetStatus),\n',
          `  breed: z._default(text("The pet's breed"), 'unknown'),\n`,
        ),
        after("status: 'available'", ", breed: 'Rhea'"),
      ),
      named: "'breed'",
    },
    {
      file: 'apps/server/src/migrations/901-pet-breed.ts',
      edit: () => `import type { Migration } from 'kysely/migration';

/** The breed of a pet. */
export const petBreed = (): Migration => ({
  async up(db) {
    await db.schema
      .alterTable('pets')
      .addColumn('breed', 'text', (column) => column.notNull().defaultTo('unknown'))
      .execute();
  },
});
`,
      named: './901-pet-breed.ts',
    },
    listMigration('901-pet-breed', 'petBreed'),
    {
      file: 'apps/server/src/tables.ts',
      edit: after(
        "status: { name: 'status', type: 'text or null' },\n",
        "  breed: { name: 'breed', type: 'text' },\n",
      ),
    },
    {
      file: 'apps/catalogue/src/new-pet-form.ts',
      edit: after(
        "status: { label: 'Status', invalid: 'Status must be one of the list' },\n",
        "  breed: { label: 'Breed', invalid: 'Breed has characters that are not allowed' },\n",
      ),
    },
    {
      file: 'apps/cli/README.md',
      edit: (text) =>
        text
          .replaceAll(/^( *\{"id":1,.*)\}$/gm, '$1,"breed":"unknown"}')
          .replace('categoryId  status\n', 'categoryId  status     breed\n')
          .replace('Ñandú  7           available\n', 'Ñandú  7           available  unknown\n')
          .replace('id,name,categoryId,status\n', 'id,name,categoryId,status,breed\n')
          .replaceAll(/^(\d,[^,]+,7,available)$/gm, '$1,unknown'),
      named: 'apps/cli/README.md',
      noticedBy: 'apps/cli/tests/readme.test.ts',
    },
    {
      file: 'README.md',
      edit: (text) => text.replaceAll(/^(\{"id":1,.*)\}$/gm, '$1,"breed":"unknown"}'),
      named: 'README.md',
      noticedBy: 'apps/server/tests/docs/readme.test.ts',
    },
  ],
  tests: ['apps/cli/tests/readme.test.ts', 'apps/server/tests/docs/readme.test.ts'],
};
