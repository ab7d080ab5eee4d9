import type { Session } from '@petstore/database/database';
import { sql } from 'kysely';
import { query } from '../../src/tables.ts';

/** Runs a statement as it stands, and returns its rows. */
export const runSql = (session: Session, text: string): Promise<Record<string, unknown>[]> =>
  session.query(
    query({}, () => sql.raw<Record<string, unknown>>(text)),
    {},
  );
