import pg from 'pg';
import {
  afterIdOf,
  COLUMNS,
  type NewPet,
  type Page,
  type PageQuery,
  type Pet,
  type PetRow,
  preparePets,
  toPage,
  toPet,
} from './pets.ts';
import { openSqlite } from './service.ts';

/** The three operations. With callbacks, the synchronous results of SQLite wait for no promise. */
interface PetStore {
  list(page: PageQuery, done: (page: Page) => void): void;
  find(id: number, done: (pet: Pet | undefined) => void): void;
  create(pet: NewPet, done: (pet: Pet) => void): void;
}

export const openStore = (url: string) => (url.startsWith('sqlite:') ? openFile(url) : openPool(url));

function openFile(url: string): PetStore {
  const pets = preparePets(openSqlite(url));
  return {
    list: (page, done) => done(pets.list(page)),
    find: (id, done) => done(pets.find(id)),
    create: (pet, done) => done(pets.create(pet)),
  };
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** `pg.Pool` with named statements, and as many connections as our server. A failed statement ends the process. */
function openPool(connectionString: string): PetStore {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const query = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<PetRow>({ name, text, values })).rows;
  const selectAll = `select ${COLUMNS} from pets where id > $1 order by id limit $2`;
  const selectByStatus = `select ${COLUMNS} from pets where status = $1 and id > $2 order by id limit $3`;
  const selectOne = `select ${COLUMNS} from pets where id = $1`;
  const insert = `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${COLUMNS}`;
  return {
    async list(page, done) {
      const { limit, status } = page;
      const range = [afterIdOf(page), limit + 1];
      const rows =
        status === undefined
          ? await query('all', selectAll, range)
          : await query('by status', selectByStatus, [status, ...range]);
      done(toPage(rows, page));
    },
    async find(id, done) {
      const [row] = await query('one', selectOne, [id]);
      done(row && toPet(row));
    },
    async create({ name, categoryId, status }, done) {
      const [row] = await query('insert', insert, [name, categoryId, status ?? null]);
      if (row !== undefined) done(toPet(row));
    },
  };
}
