import type BetterSqlite3 from 'better-sqlite3';
import { type NewPet, type Pet, type PetRow, type Status, toPet } from './pet.ts';

const COLUMNS = 'id, name, category_id, status';

/** The three operations with prepared statements, for the hand-tuned peers. */
export function preparedPets(connection: BetterSqlite3.Database) {
  const selectAll = connection.prepare<[number], PetRow>(`select ${COLUMNS} from pets order by id limit ?`);
  const selectOf = connection.prepare<[Status, number], PetRow>(
    `select ${COLUMNS} from pets where status = ? order by id limit ?`,
  );
  const selectOne = connection.prepare<[number], PetRow>(`select ${COLUMNS} from pets where id = ?`);
  const insert = connection.prepare<[string, number, Status | null]>(
    'insert into pets (name, category_id, status) values (?, ?, ?)',
  );
  return {
    list: (limit: number, status: Status | undefined): Pet[] =>
      (status === undefined ? selectAll.all(limit) : selectOf.all(status, limit)).map(toPet),
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
