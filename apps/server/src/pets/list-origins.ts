import { type Int64, int64Bounds, type Pet } from '@petstore/contract';
import { sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { type PetRow, query } from '../tables.ts';
import { selection, toPet } from './repository.ts';

/** A pet with what only operators see. */
export type PetWithOrigin = Pet & {
  /** Milliseconds since 1970; null when no release has stored it. */
  createdAt: Int64 | null;
  /** Name of the API key; null likewise. */
  createdBy: string | null;
};

/** Which pets are wanted. What is left out is any. */
interface Wanted {
  id?: Int64 | undefined;
  /** Name of the API key that has added them. */
  createdBy?: string | undefined;
  /** Added then or later, in milliseconds since 1970. */
  since?: number | undefined;
}

/** How many pets a statement looks at: it takes milliseconds, however few of them are wanted. */
const WINDOW = 10_000;

const selectEnd = query(
  { after: 'int64' },
  (_db, $) =>
    sql<{ end: Int64 | null }>`
    select max(id) as "end" from (select id from pets where id > ${$('after')} order by id limit ${WINDOW}) as part`,
);

const selectWindow = query(
  { after: 'int64', end: 'int64', createdBy: 'text', since: 'int64' },
  (db, $) =>
    db
      .selectFrom('pets')
      .select(selection)
      .select(['created_at as createdAt', 'created_by as createdBy'])
      .where('id', '>', $('after'))
      .where('id', '<=', $('end'))
      .where(sql<boolean>`created_by is not distinct from coalesce(${$('createdBy')}, created_by)`)
      .where(sql<boolean>`coalesce(created_at, 0) >= ${$('since')}`)
      .orderBy('id')
      .$castTo<PetRow & Pick<PetWithOrigin, 'createdAt' | 'createdBy'>>(),
  { maxRows: WINDOW },
);

/**
 * Lists pets with their origins, ascending by id. No index has the origins, which would make every creation dearer: the
 * whole table is read, a part at a time.
 *
 * @returns the wanted pets of each part
 */
export async function* listOrigins(
  session: Session,
  { id, createdBy, since = 0 }: Wanted,
): AsyncGenerator<PetWithOrigin[]> {
  const windows = id === undefined ? allWindows(session) : [{ after: BigInt(id) - 1n, end: id }];
  for await (const window of windows) {
    const rows = await session.query(selectWindow, { ...window, createdBy, since });
    yield rows.map((row) => ({ ...toPet(row), createdAt: row.createdAt, createdBy: row.createdBy }));
  }
}

/** The ranges of ids that have as many pets as a statement looks at. */
async function* allWindows(session: Session) {
  for (let after: Int64 = int64Bounds.minimum; ; ) {
    const [last]: { end: Int64 | null }[] = await session.query(selectEnd, { after });
    if (last?.end == null) return;
    yield { after, end: last.end };
    after = last.end;
  }
}
