import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { query } from '../../src/tables.ts';

/** The run of a statement as it stands. */
export const sqlRun = (text: string) => query({}, () => sql.raw<Record<string, unknown>>(text))({});

/** Runs a statement as it stands, and returns its rows. */
export const runSql = (database: Database, text: string) => database.query(sqlRun(text));
