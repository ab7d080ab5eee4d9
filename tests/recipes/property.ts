import { after, all, listMigration, type Recipe } from './recipe.ts';

/** The day on which a pet was born. */
export const property: Recipe = {
  heading: 'An optional property of a pet',
  maxFiles: 8,
  edits: {
    'packages/contract/src/v1/pet.ts': all(
      after(
        '  status: z.optional(PetStatus),\n',
        `  bornOn: z.optional(
    z.iso.date('must be a date, as in 2024-02-29').check(z.meta({ description: 'The day of birth' })),
  ),
`,
      ),
      after("  status: 'available',\n", "  bornOn: '2024-02-29',\n"),
    ),
    'apps/server/src/migrations/002-pet-born-on.ts': () => `import type { Migration } from 'kysely/migration';

/** The day on which a pet was born. */
export const petBornOn = (): Migration => ({
  async up(db) {
    await db.schema.alterTable('pets').addColumn('born_on', 'text').execute();
  },
});
`,
    'apps/server/src/migrations/index.ts': listMigration('002-pet-born-on', 'petBornOn'),
    'apps/server/src/tables.ts': after('  status: PetStatus | null;\n', '  born_on: string | null;\n'),
    'apps/server/src/pets/repository.ts': all(
      after("as categoryId', 'pets.status'", ", 'pets.born_on as bornOn'"),
      after('  status: row.status ?? undefined,\n', '  bornOn: row.bornOn ?? undefined,\n'),
      after('  status: ({ status = null }) => status,\n', '  born_on: ({ bornOn = null }) => bornOn,\n'),
    ),
    'apps/catalogue/src/new-pet-form.ts': after(
      "  status: { label: 'Status', invalid: 'Status must be one of the list' },\n",
      "  bornOn: { label: 'Born on', invalid: 'Born on must be a date, such as 2024-02-29' },\n",
    ),
  },
};
