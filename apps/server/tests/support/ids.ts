import type { Engine } from '@petstore/test-support/databases/databases';
import type { Database } from '../../src/database/database.ts';
import { runSql } from './sql.ts';

/** Makes the engine assign ids from this one on. SQLite needs a pet with the id before it for that. */
export async function beginIdsAt(database: Database, engine: Engine, id: bigint): Promise<void> {
  const statement =
    engine === 'sqlite'
      ? `insert into pets (id, name, category_id) values (${id - 1n}, 'the one before', 1)`
      : `alter table pets alter column id restart with ${id}`;
  await runSql(database, statement);
}
