import { type RawBuilder, sql } from 'kysely';

/** Set to `on` by what adds rows of ours at the end. */
export const appendingSetting = (table: string) => `${table}.appending`;

/**
 * The triggers of PostgreSQL for `EngineSyntax.trackChanges`. A migration has them: they never change.
 *
 * - `<table>_changed` moves the revision once in each transaction that changes rows, unless it only adds some under the
 *   lock of appends. It fires where a session replicates too (`always`).
 * - `<table>_replicated` does the same for logical replication, which fires triggers of rows only. The condition is in
 *   the trigger, because a restore with `--disable-triggers` enables all triggers afterwards.
 * - `<table>_take_turn` lets a change become visible in turn, under the same lock: otherwise rows that are loaded could
 *   appear between the ids of an append and its commit, and a reader that has seen them would skip those of the append.
 *   A transaction of an operator that stays open holds nothing up, because the lock is taken at its commit.
 *
 * @param lock that of appends
 */
export function trackChanges(table: string, lock: number): RawBuilder<unknown>[] {
  const name = (suffix: string) => sql.ref(`${table}_${suffix}`);
  const rows = sql.ref(table);
  const number = sql.lit(lock);
  return [
    sql`create table ${name('revision')} (revision bigint not null)`,
    sql`insert into ${name('revision')} values (0)`,
    sql`create function ${name('changed')}() returns trigger
      language plpgsql security definer set search_path from current as $$
      begin
        if tg_op <> 'INSERT' or not exists (
          select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory' and objid = ${number} and granted
        ) then
          update ${name('revision')} set revision = revision + 1 where xmin <> pg_current_xact_id()::xid;
        end if;
        return case tg_level when 'ROW' then coalesce(new, old) end;
      end
    $$`,
    sql`create trigger ${name('changed')} before insert or update or delete or truncate on ${rows} for each statement
      when (current_setting(${sql.lit(appendingSetting(table))}, true) is distinct from 'on')
      execute function ${name('changed')}()`,
    sql`create trigger ${name('replicated')} before insert or update or delete on ${rows} for each row
      when (current_setting('session_replication_role') = 'replica') execute function ${name('changed')}()`,
    sql`alter table ${rows} enable always trigger ${name('changed')}`,
    sql`alter table ${rows} enable always trigger ${name('replicated')}`,
    sql`create function ${name('take_turn')}() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(${number});
        return null;
      end
    $$`,
    sql`create constraint trigger ${name('take_turn')} after update on ${name('revision')}
      deferrable initially deferred for each row execute function ${name('take_turn')}()`,
  ];
}
