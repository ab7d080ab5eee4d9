#!/usr/bin/env bash
# Loses data and restores it by the commands of docs/upgrade.md and docs/deploy.md, while callers go on: a dump of
# PostgreSQL, a backup of SQLite, a lost disk, and a mistake that only point-in-time recovery repairs.
#
#   deploy/drills/recovery.sh [PETS]   # adds this number of pets first, and says how long the commands took
#
# It needs root and the Debian packages postgresql, pgbackrest, sqlite3, curl and jq.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
pets=${1:-1000}

database_port=$(free_port) port=$(free_port) admin_port=$(free_port)
export PGHOST=127.0.0.1 PGPORT=$database_port PGUSER=postgres

# pgBackRest with the file of the manual, but with a folder instead of an object store.
mkdir "$work/repository" "$work/pgbackrest" "$work/primary"
chown postgres: "$work/repository" "$work/pgbackrest" "$work/primary"
export PGBACKREST_CONFIG=$PWD/deploy/postgres/pgbackrest.conf PGBACKREST_REPO1_TYPE=posix PGBACKREST_REPO1_PATH=$work/repository \
  PGBACKREST_PG1_PATH=$work/primary PGBACKREST_PG1_PORT=$database_port PGBACKREST_PG1_SOCKET_PATH=$work/primary \
  PGBACKREST_LOG_PATH=$work/pgbackrest PGBACKREST_LOCK_PATH=$work/pgbackrest PGBACKREST_SPOOL_PATH=$work/pgbackrest
pgbackrest() { "${as_postgres[@]}" pgbackrest "$@"; }

# page_block PAGE TEXT: the code block of a page that contains a text.
page_block() {
  awk -v text="$2" '/^```/ { if (isInside && found) exit; isInside = !isInside; block = found = ""; next }
    isInside { block = block $0 "\n"; if (index($0, text)) found = 1 }
    END { printf "%s", block }' "docs/$1.md"
}
# timed TEXT COMMAND…: says how long a command took.
timed() {
  local start=$SECONDS
  "${@:2}" >>"$work/timed.log" 2>&1
  echo "$1 took $((SECONDS - start)) seconds."
}
query() { psql --quiet --tuples-only --no-align --dbname="${2:-petstore}" -c "$1"; }
is_primary() { [ "$(query 'select pg_is_in_recovery()')" = f ]; }
# status_with KEY_FILE: the status of a list with this API key.
status_with() { curl --silent --output /dev/null --write-out '%{http_code}' --oauth2-bearer "$(cat "$1")" "http://127.0.0.1:$port/v1/pets"; }

# Callers that retry, from 3 seconds before a step to 3 seconds after it. `end_calls` fails if a call has failed.
start_calls() {
  node deploy/drills/load.ts --url "http://127.0.0.1:$port/v1" --key "$(cat "$work/shop.key")" >"$work/calls" 2>>"$work/load.log" &
  calls=$!
  processes+=("$calls")
  sleep 3
}
end_calls() {
  sleep 3
  kill -TERM "$calls"
  # load.ts reports pets that were created after the backup as lost, and fails.
  wait "$calls" || true
  # The table of load.ts begins with |, so field 6 is "failed of all".
  echo "Failed calls while $1: $(cut -d '|' -f 6 "$work/calls")"
  grep -q '| 0 of' "$work/calls"
  # With --quiet, grep would close the pipe, and curl sometimes fail.
  curl --silent "http://127.0.0.1:$admin_port/metrics" | grep --line-regexp '.*"internal_error"} 0' >/dev/null
}

# add_keys: a caller's key, and one that leaks.
add_keys() {
  for name in shop leaked; do petstore keys create --name $name >"$work/$name.key"; done
}
# expect_later_ids ID: a new pet gets a higher id than any pet before the restore.
expect_later_ids() {
  local id
  id=$(curl --silent --fail --oauth2-bearer "$(cat "$work/shop.key")" --json '{"name":"Rex","categoryId":1}' \
    "http://127.0.0.1:$port/v1/pets" | jq .id)
  [ "$id" -gt "$1" ]
}
expect_keys() { [ "$(status_with "$work/shop.key") $(status_with "$work/leaked.key")" = '200 401' ]; }

# The process id is in $primary.
start_postgres() {
  run_in_background primary "${as_postgres[@]}" "$pg_bin/postgres" -D "$work/primary" -p "$database_port" -k "$work/primary" -h 127.0.0.1
  primary=$pid
  until_ok query 'select 1' postgres
}

"${as_postgres[@]}" "$pg_bin/initdb" --pgdata="$work/primary" --encoding=UTF8 --locale=C --auth=trust --username=postgres >/dev/null
cat >>"$work/primary/postgresql.conf" <<SETTINGS
archive_mode = on
archive_command = 'pgbackrest --stanza=petstore archive-push %p'
archive_timeout = 60s
SETTINGS
start_postgres
query "create role petstore login password 'change-me'" postgres
query "create database petstore owner petstore encoding 'UTF8' template template0" postgres
export DATABASE_URL="postgres://petstore:change-me@127.0.0.1:$database_port/petstore"
petstore migrate 2>/dev/null
psql --quiet --dbname=petstore --file=deploy/postgres/grants.sql
query "insert into pets (name, category_id) select 'pet ' || n, 1 from generate_series(1, $pets) n"
query "alter role petstore_backup password 'back:up'"
add_keys
start_server "$port" "$admin_port"
server=$pid

mkdir "$work/backups" "$work/elsewhere"
for minute in {10..39}; do touch "$work/backups/petstore-2020-01-01T00${minute}00Z.dump"; done
backups() { find "$work/backups" -name '*.dump' | wc -l; }
# back_up URL_FILE UPLOAD: runs backup.sh with the file of a URL and the command BACKUP_UPLOAD.
back_up() { DATABASE_URL='' DATABASE_URL_FILE=$work/$1 BACKUP_FOLDER=$work/backups BACKUP_UPLOAD=$2 deploy/backup/backup.sh >"$work/backup"; }
echo "postgres://petstore_backup:back%3Aup@127.0.0.1:$database_port/missing" >"$work/wrong-url"
echo "postgres://petstore_backup@127.0.0.1:$database_port/petstore?password=back%3Aup" >"$work/url"
start_calls
if back_up wrong-url '' 2>/dev/null; then exit 1; fi
[ "$(backups)" = 30 ] # A failed backup removes no backup.
if back_up url false; then exit 1; fi # An upload that fails.
[ ! -e "$work/backups/petstore.prom" ]
timed 'A dump' back_up url "cp \"\$1\" $work/elsewhere/petstore.dump"
# The newest 24 remain, and the first backup of that day.
[ "$(backups)" = 25 ]
[ -e "$work/backups/petstore-2020-01-01T001000Z.dump" ]
grep petstore_last_backup_timestamp_seconds "$work/backups/petstore.prom" >/dev/null
latest=$(query 'select max(id) from pets')
# Only rows have tabs.
dumped=$(pg_restore --data-only --table=pets --file=- "$work/elsewhere/petstore.dump" | grep -c $'\t')
petstore keys revoke leaked 2>/dev/null
look_at_restored() {
  psql -c 'select pg_sleep(600)' restored 2>/dev/null &
  until_ok psql -c "select 1 / count(*) from pg_stat_activity where query = 'select pg_sleep(600)'" postgres
}
# Before its switch, the database allows no connections, as after a switch that failed, and an operator still looks at the
# other one. (For sed, \& is an &.)
imitate_failure="psql -c 'alter database petstore allow_connections false' postgres \&\& look_at_restored \&\&"
commands=$(page_block upgrade switch.sql |
  sed "s#127.0.0.1/#127.0.0.1:$database_port/#; s#petstore.dump#$work/elsewhere/&#; s#^psql --file#$imitate_failure &#")
timed 'Restoring the dump, and switching' eval "$commands"
end_calls 'a dump was restored'
[ "$(query 'select count(*) from pets')" -ge "$dumped" ]
expect_keys
expect_later_ids "$latest"
echo "At least the $dumped pets of the dump are there, and the revoked key stays revoked."

start_calls
pgbackrest --stanza=petstore stanza-create
timed 'A full backup by pgBackRest' pgbackrest --stanza=petstore --type=full backup
# Only the archived log has the pets of these seconds.
sleep 3
count=$(query 'select count(*) from pets')
moment=$(query 'select clock_timestamp()')
end_calls 'pgBackRest made a backup'
query 'delete from pets where id % 2 = 0' # The mistake.
query 'select pg_switch_wal()' >/dev/null
until_ok pgbackrest --stanza=petstore check
# recover OPTION…: loses the disk, and gets PostgreSQL back from pgBackRest.
recover() {
  kill -KILL "$primary" $(pgrep --parent "$primary")
  tail --pid="$primary" --follow /dev/null
  find "$work/primary" -mindepth 1 -delete
  pgbackrest --stanza=petstore "$@" restore
  start_postgres
  until_ok is_primary
}
timed 'Recovery after a lost disk' recover
# The archived log contains the mistake, too.
[ "$(query 'select count(*) from pets where id % 2 = 0')" = 0 ]
timed 'Recovery to the moment before the mistake' recover --type=time --target="$moment" --target-action=promote
restored=$(query 'select count(*) from pets')
echo "There were $count pets before a mistake, and there are $restored after the recovery."
[ "$restored" -ge "$count" ]
start_calls
end_calls 'the recovered database was used'
stop "$server"

DATABASE_URL=sqlite:$work/sqlite.db
petstore migrate 2>/dev/null
sqlite3 "$work/sqlite.db" "insert into pets (name, category_id) select 'pet ' || value, 1 from generate_series(1, $pets)"
add_keys
start_server "$port" "$admin_port"
server=$pid
start_calls
backup=$work/petstore-sqlite.db
timed 'A backup of SQLite' petstore backup "$backup"
backed_up=$(sqlite3 "$backup" 'select count(*) from pets')
petstore keys revoke leaked 2>/dev/null
latest=$(sqlite3 "$work/sqlite.db" "select seq from sqlite_sequence")
# The commands of the manual call systemctl.
systemctl() { if [ "$1" = stop ]; then stop "$server"; else start_server "$port" "$admin_port"; fi; }
commands=$(page_block upgrade 'petstore restore' | sed "s#/var/lib/petstore/backups/[^ )]*#$backup#; s#/var/lib/petstore/petstore.db#$work/sqlite.db#g")
timed 'Restoring SQLite' eval "$commands"
server=$pid
end_calls 'SQLite was restored'
[ "$(sqlite3 "$work/sqlite.db" 'select count(*) from pets')" -ge "$backed_up" ]
expect_keys
expect_later_ids "$latest"
stop "$server"
