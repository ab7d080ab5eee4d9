-- Three roles: petstore_migrate runs `petstore migrate` and `petstore copy`, and owns the tables. petstore_backup runs
-- deploy/backup, and petstore_serve everything else. Run this as a superuser before the first `petstore migrate`, and
-- again after each one. Set the passwords by `alter role`.
-- The files in deploy/ give servers, backups and migrations one DATABASE_URL. With these roles each needs its own:
-- petstore_serve can neither dump nor migrate.
do $$
begin
  if to_regrole('petstore_migrate') is null then create role petstore_migrate login; end if;
  if to_regrole('petstore_serve') is null then create role petstore_serve login; end if;
  if to_regrole('petstore_backup') is null then create role petstore_backup login; end if;
end $$;

revoke create on schema public from public;
grant usage, create on schema public to petstore_migrate;
grant usage on schema public to petstore_serve;
-- All tables, because a dump without one of them could not be restored.
grant pg_read_all_data to petstore_backup;

do $$
begin
  if to_regclass('kysely_migration') is null then return; end if;
  grant select on kysely_migration to petstore_serve;
  grant select, insert on pets to petstore_serve;
  grant update on sequence pets_id_seq to petstore_serve;
  grant select, insert, update, delete on idempotency_records to petstore_serve;
  grant select, insert, update on api_keys to petstore_serve;
end $$;
