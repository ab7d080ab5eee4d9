import { after, all, listMigration, type Recipe } from './recipe.ts';

/** A property of a pet, as the files of the recipe write it. */
interface Property {
  name: string;
  /** Its schema in the contract. */
  schema: string;
  /** Its value in the example of the contract. */
  example: string;
  column: string;
  /** The type of the column in TypeScript. */
  type: string;
  /** The argument of Kysely's `addColumn` after the type. */
  constraint: string;
  /** Maps a selected row, where the row has null instead of nothing. */
  fromNull: string;
  /** The value of the column of a new pet. */
  value: string;
}

const propertyRecipe = (title: string, property: Property): Recipe => ({
  title,
  heading: 'A property of a pet',
  maxFiles: 8,
  edits: {
    'packages/contract/src/v1/pet.ts': all(
      after('  status: PetStatus.optional(),\n', `  ${property.name}: ${property.schema},\n`),
      after("  status: 'available',\n", `  ${property.name}: '${property.example}',\n`),
    ),
    'apps/server/src/database/migrations/010-pet-property.ts':
      () => `import type { Migration } from 'kysely/migration';

export const petProperty: Migration = {
  async up(db) {
    await db.schema.alterTable('pets').addColumn('${property.column}', 'text'${property.constraint}).execute();
  },
};
`,
    'apps/server/src/database/migrations/index.ts': listMigration('010-pet-property', 'petProperty'),
    'apps/server/src/database/tables.ts': after(
      '  status: PetStatus | null;\n',
      `  ${property.column}: ${property.type};\n`,
    ),
    'apps/server/src/pets/repository.ts': all(
      after("as categoryId', 'pets.status'", `, 'pets.${property.column} as ${property.name}'`),
      after('  status: row.status ?? undefined,\n', property.fromNull),
      after('  status: pet.status ?? null,\n', `  ${property.column}: ${property.value},\n`),
    ),
    'apps/catalogue/src/new-pet-form.ts': after(
      "  status: { label: 'Status', invalid: 'Status must be one of the list' },\n",
      `  ${property.name}: { label: 'Label', invalid: 'Label must be another value' },\n`,
    ),
  },
});

/** The day on which a pet was born, which is not always known. */
export const optionalProperty = propertyRecipe('An optional property', {
  name: 'bornOn',
  schema: "z.iso.date('must be a date').optional().meta({ description: 'The day of birth' })",
  example: '2024-02-29',
  column: 'born_on',
  type: 'string | null',
  constraint: '',
  fromNull: '  bornOn: row.bornOn ?? undefined,\n',
  value: 'pet.bornOn ?? null',
});

/** The size of a pet: medium, if nothing else is said. */
export const requiredProperty = propertyRecipe('A required property with a default', {
  name: 'bodySize',
  schema: "z.enum(['small', 'medium', 'large'], 'must be a size').default('medium')",
  example: 'small',
  column: 'body_size',
  type: "'small' | 'medium' | 'large'",
  constraint: ", (column) => column.notNull().defaultTo('medium')",
  fromNull: '',
  value: 'pet.bodySize',
});
