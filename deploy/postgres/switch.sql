-- Replaces the database `petstore` with the database `restored`, while servers run: connections are refused for a moment,
-- and the servers connect again. The replaced database keeps its data, as petstore_before_<time>. As a superuser:
--
--   psql --file=deploy/postgres/switch.sql postgres
--
-- If it fails because a connection did not end within five seconds, run it again.
\set ON_ERROR_STOP on
\connect restored
-- Fails if nothing was restored. Without statistics, PostgreSQL would plan for empty tables.
analyze pets, idempotency_records, api_keys;
\connect postgres
select exists (select from pg_database where datname = 'petstore') as is_replaced,
  to_char(clock_timestamp(), '"petstore_before_"YYYYMMDDHH24MISS') as replaced \gset
\if :is_replaced
  alter database petstore allow_connections false;
  select count(pg_terminate_backend(pid)) as ended_connections from pg_stat_activity where datname = 'petstore';
  begin;
  alter database petstore rename to :replaced;
\endif
alter database restored rename to petstore;
\if :is_replaced
  commit;
  alter database :replaced allow_connections true;
  \echo :replaced has the data from before.
\endif
