import type BetterSqlite3 from 'better-sqlite3';
import { type GeneratedAlways, Kysely, SqliteDialect } from 'kysely';
import { type Page, type PageQuery, startOf, toPage } from './page.ts';
import { type NewPet, type Pet, type Status, toPet } from './pet.ts';

interface Tables {
  pets: { id: GeneratedAlways<number>; name: string; category_id: number; status: Status | null };
}

/** The three operations, written with Kysely as its documentation does. */
export function kyselyPets(connection: BetterSqlite3.Database) {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection }) });
  const columns = ['id', 'name', 'category_id', 'status'] as const;
  return {
    async list(page: PageQuery): Promise<Page> {
      const { limit, status } = page;
      let query = db.selectFrom('pets').select(columns).where('id', '>', startOf(page)).orderBy('id');
      if (status !== undefined) query = query.where('status', '=', status);
      return toPage(await query.limit(limit + 1).execute(), page);
    },
    async find(id: number): Promise<Pet | undefined> {
      const row = await db.selectFrom('pets').select(columns).where('id', '=', id).executeTakeFirst();
      return row && toPet(row);
    },
    async create({ name, categoryId, status }: NewPet): Promise<Pet> {
      const row = await db
        .insertInto('pets')
        .values({ name, category_id: categoryId, status: status ?? null })
        .returning(columns)
        .executeTakeFirstOrThrow();
      return toPet(row);
    },
  };
}
