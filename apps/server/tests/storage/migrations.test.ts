import { readFileSync } from 'node:fs';
import { Pets } from '@petstore/contract';
import { engines } from '@petstore/test-support/databases/databases';
import { describe, expect, test } from 'vitest';
import { openTemporaryDatabase, runSql } from '#support/database';
import { listPets } from '../../src/pets/repository.ts';
import { primaryKeys } from '../../src/tables.ts';

const source = readFileSync(new URL('../../src/tables.ts', import.meta.url), 'utf8');

/** Reads name, type and nullability of a table's columns from src/tables.ts, where each column has a line. */
function statedColumns(table: string) {
  const [, name] = new RegExp(`^  ${table}: (\\w+);$`, 'm').exec(source) ?? [];
  const [, body = ''] = new RegExp(`^export interface ${name} {\n(.*?)^}`, 'ms').exec(source) ?? [];
  return Array.from(body.matchAll(/^ {2}(\w+): (.+);$/gm), ([, column = '', type = '']) => [
    column,
    /Int64/.test(type) ? 'integer' : type === 'unknown' ? 'uuid' : 'text',
    type.endsWith('| null') ? 'null' : 'not null',
  ]);
}

/** Selects name, type and nullability of the columns of a table in the database. */
const madeColumns = {
  sqlite: (table: string) => `
    select name, case type when 'BLOB' then 'uuid' else lower(type) end as type,
      iif("notnull" or pk, 'not null', 'null') as nullable from pragma_table_info('${table}')`,
  postgres: (table: string) => `
    select column_name as name, case data_type when 'bigint' then 'integer' else data_type end as type,
      case is_nullable when 'YES' then 'null' else 'not null' end as nullable
    from information_schema.columns where table_name = '${table}'`,
};

describe.each(engines)('over %s', (engine) => {
  test.each(Object.keys(primaryKeys))(
    'src/tables.ts has the columns of %s that src/migrations makes',
    async (table) => {
      await using opened = await openTemporaryDatabase(engine);
      const made = await runSql(opened.database, madeColumns[engine](table));
      expect(made.map((column) => Object.values(column)).toSorted()).toEqual(statedColumns(table).toSorted());
    },
  );

  test('a pet inserted with only the columns of the first release has every required property', async () => {
    await using opened = await openTemporaryDatabase(engine);
    await runSql(opened.database, `insert into pets (name, category_id) values ('Ñandú', 7)`);
    const pets = await listPets(opened.database, { limit: 1 });
    expect(Pets.parse(pets)).toEqual(pets);
  });
});
