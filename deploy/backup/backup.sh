#!/bin/sh
# Backs up PostgreSQL: dumps the database of DATABASE_URL_FILE into BACKUP_FOLDER, reads the dump to its end, removes those
# that are older than two weeks, and leaves the time in petstore.prom for Prometheus. A dump that fails removes nothing.
#
#   DATABASE_URL_FILE=/etc/petstore/database-url BACKUP_FOLDER=/var/backups/petstore deploy/backup/backup.sh
#
# pg_dump must be of the server's version or newer. docs/upgrade.md says how to restore.
set -eu
umask 077
dump=$BACKUP_FOLDER/petstore-$(date -u +%Y-%m-%dT%H%M%SZ).dump
trap 'rm -f "$dump.partial"' EXIT
pg_dump --format=custom --file="$dump.partial" --dbname="$(cat "$DATABASE_URL_FILE")"
pg_restore --file=/dev/null "$dump.partial"
mv "$dump.partial" "$dump"
find "$BACKUP_FOLDER" -name 'petstore-*.dump' -mtime +14 -delete
echo "petstore_last_backup_timestamp_seconds $(date +%s)" >"$BACKUP_FOLDER/petstore.prom.new"
chmod 644 "$BACKUP_FOLDER/petstore.prom.new"
mv "$BACKUP_FOLDER/petstore.prom.new" "$BACKUP_FOLDER/petstore.prom"
echo "$dump"
