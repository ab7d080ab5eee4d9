import { after, inTurn, listMigration, type Recipe } from '../recipe.ts';

/** An age in years, which may be left out. */
export const optionalField: Recipe = {
  heading: 'An optional field of a pet',
  steps: [
    {
      file: 'packages/contract/src/v1/pet.ts',
      edit: inTurn(
        after(
          'status: z.optional(PetStatus),\n',
          "  age: z.optional(Int64.check(z.meta({ description: 'In years' }))),\n",
        ),
        after("status: 'available'", ', age: 3'),
      ),
      named: "'age'",
    },
    {
      file: 'apps/server/src/migrations/902-pet-age.ts',
      edit: () => `import type { Migration } from 'kysely/migration';
import type { EngineSyntax } from '../database/migrations/engine-syntax';

/** The age of a pet. */
export const petAge = ({ int64 }: EngineSyntax): Migration => ({
  async up(db) {
    await db.schema.alterTable('pets').addColumn('age', int64).execute();
  },
});
`,
      named: './902-pet-age.ts',
    },
    listMigration('902-pet-age', 'petAge'),
    {
      file: 'apps/server/src/tables.ts',
      edit: after(
        "status: { name: 'status', type: 'text or null' },\n",
        "  age: { name: 'age', type: 'int64 or null' },\n",
      ),
    },
    {
      file: 'apps/server/src/pets/repository.ts',
      edit: after('status: row.status ?? undefined', ', age: row.age ?? undefined'),
    },
    {
      file: 'apps/catalogue/src/new-pet-form.ts',
      edit: after(
        "status: { label: 'Status', invalid: 'Status must be one of the list' },\n",
        `  age: {
    label: 'Age',
    invalid: 'Age must be a whole number of years, such as 3',
    read: (text) => parseInt64(text.trim()),
  },
`,
      ),
    },
    {
      file: 'apps/cli/README.md',
      edit: (text) =>
        text
          .replace('categoryId  status\n', 'categoryId  status     age\n')
          .replace('id,name,categoryId,status\n', 'id,name,categoryId,status,age\n')
          .replaceAll(/^(\d,[^,]+,7,available)$/gm, '$1,'),
      named: 'apps/cli/README.md',
      noticedBy: 'apps/cli/tests/readme.test.ts',
    },
  ],
  tests: ['apps/cli/tests/readme.test.ts'],
};
