#!/usr/bin/env bash
# Backs up the database into BACKUP_FOLDER, verifies the backup, and removes old backups. It keeps the newest 24, and
# the first of each of the last 14 days. A failed backup removes none of them. Prometheus can read the time of the
# last successful backup from petstore.prom.
#
#   DATABASE_URL_FILE=/etc/petstore/database-url BACKUP_FOLDER=/var/backups/petstore deploy/backup/backup.sh
#
# DATABASE_URL can replace DATABASE_URL_FILE. PETSTORE is the command `petstore`, for SQLite. pg_dump must have the
# server's major version, and must not connect to a pooler in transaction mode, whose sessions it would change.
# BACKUP_UPLOAD is a command of sh that copies the verified backup, "$1", to another place. If it fails, so does the
# backup. The script needs bash, and prints the backup's path. docs/upgrade.md says how to restore.
set -eu
umask 077
url=${DATABASE_URL:-$(cat "$DATABASE_URL_FILE")}
case $url in sqlite:*) suffix=db ;; *) suffix=dump ;; esac
backup=$BACKUP_FOLDER/petstore-$(date -u +%Y-%m-%dT%H%M%SZ).$suffix

# The URL without its password, which other users could see in the command line of pg_dump, and without
# target_session_attrs, which would override PGTARGETSESSIONATTRS.
bare_url() {
  printf '%s' "$url" | sed 's#^\([a-z]*://[^:@/]*\):[^/]*@#\1@#
    s#\([?&]\)password=[^&]*&*#\1#; s#\([?&]\)target_session_attrs=[^&]*&*#\1#'
}
# The password, in the URL's query or before its host. `printf %b` decodes \xXX, so each %XX becomes \xXX first.
password() {
  local encoded
  encoded=$(printf '%s\n' "$url" | sed -n 's#.*[?&]password=\([^&]*\).*#\1#p; t; s#^[a-z]*://[^:@/]*:\([^/]*\)@.*#\1#p')
  encoded=${encoded//\\/\\\\}
  printf %b "${encoded//%/\\x}"
}

# Removes files that a killed run has left. Younger files may belong to a run in progress.
find -H "$BACKUP_FOLDER" -maxdepth 1 -name 'petstore-*.partial*' -mmin +1440 -exec rm -f {} +
if [ "$suffix" = db ]; then
  # The command verifies the backup.
  DATABASE_URL=$url DATABASE_URL_FILE='' ${PETSTORE:-petstore} backup "$backup" >&2
else
  trap 'rm -f "$backup.partial"' EXIT
  # The URL may list several hosts, and a standby may be days behind.
  export PGTARGETSESSIONATTRS=primary
  # For a URL without a password, PGPASSWORD stays as it is.
  secret=$(password)
  PGPASSWORD=${secret:-${PGPASSWORD:-}} pg_dump --format=custom --file="$backup.partial" --dbname="$(bare_url)"
  pg_restore --file=/dev/null "$backup.partial"
  mv "$backup.partial" "$backup"
fi

[ -z "${BACKUP_UPLOAD:-}" ] || sh -c "$BACKUP_UPLOAD" sh "$backup" >&2
cd "$BACKUP_FOLDER"
for name in petstore-*."$suffix"; do echo "$name"; done | sort | awk -v new="${backup##*/}" '
  { all[NR] = $0; if (!seen[substr($0, 1, length("petstore-2026-11-23"))]++) first[++days] = $0 }
  END {
    for (i = NR - 23; i <= NR; i++) keep[all[i]] = 1
    for (i = days - 13; i <= days; i++) keep[first[i]] = 1
    # The new backup stays, even if the clock was set back.
    keep[new] = 1
    for (i = 1; i <= NR; i++) if (!(all[i] in keep)) print all[i]
  }' | while read -r old; do rm -f "$old"; done
echo "petstore_last_backup_timestamp_seconds $(date +%s)" >petstore.prom.new
chmod 644 petstore.prom.new
mv petstore.prom.new petstore.prom
echo "$backup"
