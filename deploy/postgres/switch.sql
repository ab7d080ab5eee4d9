-- Replaces the database `petstore` with the database `restored`, while servers run: connections are refused for a moment,
-- and the servers connect again. The replaced database keeps its data, as petstore_before_<time>. As a superuser:
--   psql postgres < deploy/postgres/switch.sql
-- PostgreSQL renames no database whose connections do not end within five seconds. Callers then get 503:
-- run this again, or give up by: alter database petstore allow_connections true
\set ON_ERROR_STOP on
\connect restored
do $$ begin
  if not exists (select from pets) then raise exception 'the database restored has no pets'; end if;
end $$;
-- Without statistics, PostgreSQL would plan for empty tables.
analyze;
\connect postgres
select exists (select from pg_database where datname = 'petstore') as petstore_exists,
  to_char(clock_timestamp(), '"petstore_before_"YYYYMMDDHH24MISS') as old_name \gset
\if :petstore_exists
  -- After a run that failed, the database still refuses connections.
  alter database petstore allow_connections true;
  -- No id is given out again: the servers may add up to 100000 rows to a table until they are disconnected.
  \connect petstore
  -- Ids are bigint; a smaller type may lack room for 100000 more. A petstore that is new after a loss has no sequence.
  select coalesce(json_object_agg(seqrelid::regclass,
    least(coalesce(pg_sequence_last_value(seqrelid), 0), seqmax - 100000) + 100000), '{}') as last_ids
  from pg_sequence where seqtypid = 'bigint'::regtype \gset
  \connect restored
  select setval(name::regclass, greatest(value::bigint, pg_sequence_last_value(name::regclass)))
  from json_each_text(:'last_ids') as last_ids (name, value) where to_regclass(name) is not null;
  \connect postgres
  alter database petstore allow_connections false;
\endif
select count(pg_terminate_backend(pid)) as ended from pg_stat_activity where datname in ('petstore', 'restored');
begin;
\if :petstore_exists
  alter database petstore rename to :old_name;
\endif
alter database restored rename to petstore;
commit;
\if :petstore_exists
  alter database :old_name allow_connections true;
  \echo :old_name has the data from before.
\endif
