import type { Engine } from '@petstore/test-support/engines';
import type { Database } from '../../src/database/database.ts';
import { runSql } from './sql.ts';

/** Has the engine hand out ids from here on; SQLite takes an animal before the first for that. */
export async function beginIdsAt(database: Database, engine: Engine, id: bigint): Promise<void> {
  const statement =
    engine === 'sqlite'
      ? `insert into pets (id, name, category_id) values (${id - 1n}, 'the one before', 1)`
      : `alter table pets alter column id restart with ${id}`;
  await runSql(database, statement);
}
