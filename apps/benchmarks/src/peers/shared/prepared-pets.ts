import type BetterSqlite3 from 'better-sqlite3';
import { type Page, type PageQuery, startOf, toPage } from './page.ts';
import { type NewPet, type Pet, type PetRow, type Status, toPet } from './pet.ts';

const COLUMNS = 'id, name, category_id, status';

/** The three operations with prepared statements, for the hand-tuned peers. */
export function preparedPets(connection: BetterSqlite3.Database) {
  const selectAll = connection.prepare<[number, number], PetRow>(
    `select ${COLUMNS} from pets where id > ? order by id limit ?`,
  );
  const selectOf = connection.prepare<[Status, number, number], PetRow>(
    `select ${COLUMNS} from pets where status = ? and id > ? order by id limit ?`,
  );
  const selectOne = connection.prepare<[number], PetRow>(`select ${COLUMNS} from pets where id = ?`);
  const insert = connection.prepare<[string, number, Status | null]>(
    'insert into pets (name, category_id, status) values (?, ?, ?)',
  );
  return {
    list(page: PageQuery): Page {
      const { limit, status } = page;
      const after = startOf(page);
      const rows =
        status === undefined ? selectAll.all(after, limit + 1) : selectOf.all(status, after, limit + 1);
      return toPage(rows, page);
    },
    find(id: number): Pet | undefined {
      const row = selectOne.get(id);
      return row && toPet(row);
    },
    create({ name, categoryId, status }: NewPet): Pet {
      const { lastInsertRowid } = insert.run(name, categoryId, status ?? null);
      return { id: Number(lastInsertRowid), name, categoryId, ...(status && { status }) };
    },
  };
}
