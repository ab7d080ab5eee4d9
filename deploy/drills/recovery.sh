#!/usr/bin/env bash
# Backs up PostgreSQL by deploy/backup/backup.sh and restores the dump. Then deletes pets by mistake, and recovers
# PostgreSQL to the moment before the mistake, from a base backup and the archive of the write-ahead log. Checks that
# exactly the pets of that moment are there, and that a server serves them.
#
#   deploy/drills/recovery.sh
#
# It needs the Debian package postgresql and curl.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

database_port=$(free_port) restored_port=$(free_port) port=$(free_port) admin_port=$(free_port)
mkdir "$work/archive" "$work/base"
own "$work/archive" "$work/base"
chmod 700 "$work/base"
make_postgres primary
cat >>"$work/primary/postgresql.conf" <<SETTINGS
archive_mode = on
archive_command = 'test ! -f $work/archive/%f && cp %p $work/archive/%f.partial && mv $work/archive/%f.partial $work/archive/%f'
archive_timeout = 60s
SETTINGS
start_postgres primary "$database_port"
primary=$pid
psql --quiet "host=127.0.0.1 port=$database_port user=postgres" -c 'create database petstore'
query() { psql --quiet --tuples-only --no-align "host=127.0.0.1 port=$1 user=postgres dbname=petstore" -c "$2"; }
export DATABASE_URL="postgres://postgres@127.0.0.1:$database_port/petstore"
petstore migrate 2>/dev/null
key=$(petstore keys create --name drill 2>/dev/null)
start_server "$port" "$admin_port"
server=$pid
is_primary() { [ "$(query "$1" 'select pg_is_in_recovery()')" = f ]; }
create() { node deploy/drills/load.ts --url "http://127.0.0.1:$port/v1" --key "$key" --seconds "$1" >>"$work/load.log"; }

create 3
"${as_postgres[@]}" "$pg_bin/pg_basebackup" --host=127.0.0.1 --port="$database_port" --username=postgres \
  --pgdata="$work/base" --checkpoint=fast --wal-method=none
create 3
count=$(query "$database_port" 'select count(*) from pets')

mkdir "$work/backups"
for minute in {10..39}; do touch "$work/backups/petstore-2020-01-01T00${minute}00Z.dump"; done
backups() { find "$work/backups" -name '*.dump' | wc -l; }
back_up() { DATABASE_URL='' DATABASE_URL_FILE=$1 BACKUP_FOLDER=$work/backups deploy/backup/backup.sh; }
echo "postgres://postgres@127.0.0.1:$database_port/missing" >"$work/wrong-url"
echo "$DATABASE_URL" >"$work/url"
if back_up "$work/wrong-url" 2>/dev/null; then exit 1; fi
[ "$(backups)" = 30 ]
dump=$(back_up "$work/url")
# The newest 24 remain, and the first backup of that day.
[ "$(backups)" = 25 ]
[ -e "$work/backups/petstore-2020-01-01T001000Z.dump" ]
grep petstore_last_backup_timestamp_seconds "$work/backups/petstore.prom"
query "$database_port" 'create database restored template template0'
pg_restore --exit-on-error --no-owner --dbname="${DATABASE_URL%petstore}restored" "$dump"
[ "$(DATABASE_URL=${DATABASE_URL%petstore}restored petstore keys list)" = "$(petstore keys list)" ]
[ "$(psql --quiet --tuples-only --no-align "${DATABASE_URL%petstore}restored" -c 'select count(*) from pets')" = "$count" ]
echo "The backup was restored with $count pets. A backup that failed had removed nothing."

moment=$(query "$database_port" 'select clock_timestamp()')
sleep 1
create 3
query "$database_port" 'delete from pets where id % 2 = 0'
echo "At $moment there were $count pets; after a mistake there are $(query "$database_port" 'select count(*) from pets')."
# Archives the rest of the log, which archive_timeout would archive later.
query "$database_port" 'select pg_switch_wal()' >/dev/null
last=$(query "$database_port" "select pg_walfile_name(pg_current_wal_lsn() - 1)")
until_ok test -f "$work/archive/$last"
stop "$server"
kill -INT "$primary"
tail --pid="$primary" --follow /dev/null

started=$SECONDS
cp -a "$work/base" "$work/restored"
cat >>"$work/restored/postgresql.auto.conf" <<SETTINGS
restore_command = 'cp $work/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = promote
archive_mode = off
SETTINGS
"${as_postgres[@]}" touch "$work/restored/recovery.signal"
start_postgres restored "$restored_port"
until_ok is_primary "$restored_port"
restored=$(query "$restored_port" 'select count(*) from pets')
DATABASE_URL="postgres://postgres@127.0.0.1:$restored_port/petstore" start_server "$port" "$admin_port"
echo "Restored $restored pets and served them after $((SECONDS - started)) seconds."
[ "$restored" = "$count" ]
create 3
