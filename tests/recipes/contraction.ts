import { all, listMigration, type Recipe } from './recipe.ts';

const migration = (constant: string, change: string) => `import type { Migration } from 'kysely/migration';

export const ${constant}: Migration = {
  async up(db) {
    await db.schema.alterTable('pets').${change}.execute();
  },
};
`;

/** A column that no release in use needs any more. */
export const contraction: Recipe = {
  title: 'A column that goes',
  heading: 'A column that goes',
  maxFiles: 5,
  edits: {
    'apps/server/src/database/migrations/010-nickname.ts': () =>
      migration('nickname', "addColumn('nickname', 'text')"),
    'apps/server/src/database/migrations/011-no-nickname.ts': () =>
      migration('noNickname', "dropColumn('nickname')"),
    'apps/server/src/database/migrations/index.ts': all(
      listMigration('010-nickname', 'nickname'),
      listMigration('011-no-nickname', 'noNickname'),
    ),
  },
};
