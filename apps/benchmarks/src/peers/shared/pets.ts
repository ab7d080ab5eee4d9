import type BetterSqlite3 from 'better-sqlite3';

type Status = 'available' | 'pending' | 'sold';

export interface NewPet {
  name: string;
  categoryId: number;
  status?: Status | undefined;
}

export interface Pet extends NewPet {
  id: number;
}

export interface PetRow {
  id: number;
  name: string;
  category_id: number;
  status: Status | null;
}

export const toPet = ({ id, name, category_id: categoryId, status }: PetRow): Pet =>
  status === null ? { id, name, categoryId } : { id, name, categoryId, status };

export interface PageQuery {
  limit: number;
  status?: Status | undefined;
  cursor?: string | undefined;
}

export interface Page {
  pets: Pet[];
  /** The cursor of the next page. */
  next: string | undefined;
}

/** The id after which a page begins. A cursor is `12` or `12,sold` in base64url, as in our server. */
export const afterIdOf = ({ cursor }: PageQuery): number =>
  cursor === undefined ? 0 : Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);

/** @param rows the rows of the page, and the first row of the next page */
export function toPage(rows: readonly PetRow[], { limit, status }: PageQuery): Page {
  const pets = rows.slice(0, limit).map(toPet);
  const last = pets.at(-1);
  if (rows.length <= limit || last === undefined) return { pets, next: undefined };
  const position = status === undefined ? `${last.id}` : `${last.id},${status}`;
  return { pets, next: Buffer.from(position).toString('base64url') };
}

export const COLUMNS = 'id, name, category_id, status';

export function preparePets(connection: BetterSqlite3.Database) {
  const selectAll = connection.prepare<[number, number], PetRow>(
    `select ${COLUMNS} from pets where id > ? order by id limit ?`,
  );
  const selectByStatus = connection.prepare<[Status, number, number], PetRow>(
    `select ${COLUMNS} from pets where status = ? and id > ? order by id limit ?`,
  );
  const selectOne = connection.prepare<[number], PetRow>(`select ${COLUMNS} from pets where id = ?`);
  const insert = connection.prepare<[string, number, Status | null]>(
    'insert into pets (name, category_id, status) values (?, ?, ?)',
  );
  return {
    list(page: PageQuery): Page {
      const { limit, status } = page;
      const after = afterIdOf(page);
      const rows =
        status === undefined ? selectAll.all(after, limit + 1) : selectByStatus.all(status, after, limit + 1);
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
