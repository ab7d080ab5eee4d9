import { type RawBuilder, sql } from 'kysely';

/** The triggers of SQLite for `EngineSyntax.trackChanges`. A migration has them: they never change. */
export function trackChanges(table: string): RawBuilder<unknown>[] {
  const name = (suffix: string) => sql.ref(`${table}_${suffix}`);
  const moves = (suffix: string, event: RawBuilder<unknown>) =>
    sql`create trigger ${name(suffix)} ${event} begin
      update ${name('revision')} set revision = revision + 1;
    end`;
  const rows = sql.ref(table);
  return [
    sql`create table ${name('revision')} (revision integer not null) strict`,
    sql`insert into ${name('revision')} values (0)`,
    moves('updated', sql`after update on ${rows}`),
    moves('deleted', sql`after delete on ${rows}`),
    moves('inserted', sql`after insert on ${rows} when new.id < (select max(id) from ${rows})`),
  ];
}
