import { sql } from 'kysely';
import type { Session } from '../../src/database/database.ts';
import { runOf } from '../../src/database/query.ts';
import { query } from '../../src/tables.ts';

/** The run of a statement as it stands. */
export const sqlRun = (text: string) =>
  runOf(
    query({}, () => sql.raw<Record<string, unknown>>(text)),
    {},
  );

/** Runs a statement as it stands, and returns its rows. */
export const runSql = (session: Session, text: string) => {
  const { query, values } = sqlRun(text);
  return session.query(query, values);
};
