import { sql } from 'kysely';
import type { Session } from '../../src/database/database.ts';
import { query } from '../../src/tables.ts';

/** Runs a statement as it stands, and returns its rows. */
export const runSql = (session: Session, text: string): Promise<Record<string, unknown>[]> =>
  session.query(
    query({}, () => sql.raw<Record<string, unknown>>(text)),
    {},
  );
