import { after, type Recipe } from './recipe.ts';

/** A further status. */
export const enumeration: Recipe = {
  title: 'A value of an enumeration',
  heading: 'A value of an enumeration',
  maxFiles: 4,
  edits: {
    'packages/contract/src/v1/pet.ts': after("'pending', 'sold'", ", 'reserved'"),
    'apps/cli/src/output/table.ts': after("  sold: 'gray',\n", "  reserved: 'blue',\n"),
  },
};
