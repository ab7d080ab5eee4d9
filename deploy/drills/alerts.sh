#!/usr/bin/env bash
# Provokes each alert of deploy/monitoring/petstore.rules.yml on a real server, and waits until Prometheus raises it.
# The times of the rules are shortened to seconds, and nothing else is changed.
#
#   sudo deploy/drills/alerts.sh
#
# It needs the Debian packages postgresql, prometheus, curl and jq, and root to mount a small file system.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export API_KEYS=the-key-of-the-drill SHUTDOWN_GRACE_MS=0
prometheus_port=$(free_port) database_port=$(free_port) port=$(free_port) admin_port=$(free_port) node_port=$(free_port)

sed --regexp-extended 's/for: .*/for: 1s/; s/\[(5m|10m|1d)\]/[10s]/' deploy/monitoring/petstore.rules.yml >"$work/petstore.rules.yml"
sed --regexp-extended "s/15s/1s/; s/targets: .*/targets: ['127.0.0.1:$admin_port']/" deploy/monitoring/prometheus.yml >"$work/prometheus.yml"
# What the unit of the backup leaves for the node exporter, of a backup long ago.
run_in_background node-exporter node --eval "http.createServer((request, response) => response.end('petstore_last_backup_timestamp_seconds 1\n')).listen($node_port, '127.0.0.1')"
printf "  - job_name: node\n    static_configs:\n      - targets: ['127.0.0.1:$node_port']\n" >>"$work/prometheus.yml"
run_in_background prometheus prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/prometheus" \
  --web.listen-address="127.0.0.1:$prometheus_port"

is_raised() {
  curl --silent "http://127.0.0.1:$prometheus_port/api/v1/alerts" |
    jq --exit-status --arg name "$1" 'any(.data.alerts[]; .labels.alertname == $name and .state == "firing")'
}

# expect ALERT: it is raised within a minute. Then everything that provoked it ends.
expect() {
  until_ok is_raised "$1"
  echo "$1: $(curl --silent "http://127.0.0.1:$prometheus_port/api/v1/alerts" |
    jq --raw-output --arg name "$1" '[.data.alerts[] | select(.labels.alertname == $name) | .annotations.summary][0]')"
}

# end PID…: ends what provokes an alert.
end() {
  for process in "$@"; do
    kill -CONT "$process" 2>/dev/null || true
    kill -KILL "$process" 2>/dev/null || true
  done
}

# serve [NAME=VALUE…]: a server with these settings; its process id is in $server.
serve() {
  end "${server:-}"
  run_in_background server env "$@" NODE_ENV=production PORT="$port" ADMIN_PORT="$admin_port" LOG_LEVEL="${LOG_LEVEL:-warn}" \
    ${LIMIT:+prlimit "$LIMIT"} node apps/server/dist/cli.js serve
  server=$pid
  until_ok curl --silent --fail "http://127.0.0.1:$admin_port/readyz"
}

url="http://127.0.0.1:$port/v1"
call() {
  run_in_background load node deploy/drills/load.ts --url "$url" --key "$API_KEYS" --seconds 300
  load=$pid
}
hold() { run_in_background hold node deploy/drills/hold-connections.ts --port "$port" --key "$API_KEYS" "$@"; }
# lock MODE: takes a lock on the table of pets for 1.2 of 1.5 seconds, again and again.
lock() {
  while :; do
    psql --quiet "$database" -c "begin; lock table pets in $1 mode; select pg_sleep(1.2); commit" >/dev/null 2>&1 || true
    sleep 0.3
  done
}

make_postgres postgres
start_postgres postgres "$database_port"
postgres=$pid database="host=127.0.0.1 port=$database_port user=postgres"
psql --quiet "$database" -c 'create database petstore'
database="$database dbname=petstore"
DATABASE_URL="postgres://postgres@127.0.0.1:$database_port/petstore"

serve DATABASE_URL="$DATABASE_URL"
expect PetstoreBackupOld
call
expect PetstoreDeprecatedUse &
waiting=$!
for ((time = 0; time < 20; time++)); do curl --silent --output /dev/null --header "Authorization: Bearer $API_KEYS" "$url/pets/1"; sleep 1; done
wait "$waiting"
lock 'access exclusive' & locker=$! processes+=($!)
expect PetstoreSlow
expect PetstoreSlowCommits
kill "$locker"; wait "$locker" 2>/dev/null || true
kill -INT "$postgres"
expect PetstoreErrors
expect PetstoreDatabaseAway
start_postgres postgres "$database_port"
while kill -STOP "$server" && sleep 0.4 && kill -CONT "$server" && sleep 0.4; do :; done 2>/dev/null & stopper=$! processes+=($!)
expect PetstoreBusy
kill "$stopper"
end "$server" "$load"
expect PetstoreDown

serve DATABASE_URL="$DATABASE_URL" MAX_PENDING_CREATIONS=4 DATABASE_POOL_SIZE=1
call
lock 'share row exclusive' & locker=$! processes+=($!)
expect PetstoreOverloaded
expect PetstoreCreateQueueFull
expect PetstoreConnectionsExhausted
kill "$locker"; wait "$locker" 2>/dev/null || true
end "$load"

serve DATABASE_URL="$DATABASE_URL"
hold --connections 480 --bytes 60000
expect PetstoreOutstandingBytes
end "$pid"

LIMIT=--nofile=200 serve DATABASE_URL="$DATABASE_URL"
hold --connections 150
expect PetstoreFileDescriptors
end "$pid"

mkdir "$work/disk"
mount -t tmpfs -o size=20M tmpfs "$work/disk"
trap 'umount --lazy "$work/disk"; cleanup' EXIT
serve DATABASE_URL="sqlite:$work/disk/petstore.db"
head --bytes=18900000 /dev/zero >"$work/disk/other"
expect PetstoreDiskSpace

mkfifo "$work/unread"
LOG_LEVEL=info
end "$server"
# The shell holds the other end of the pipe, and never reads.
exec 9<>"$work/unread"
env NODE_ENV=production PORT="$port" ADMIN_PORT="$admin_port" DATABASE_URL="$DATABASE_URL" node apps/server/dist/cli.js serve >"$work/unread" 2>&1 &
processes+=($!)
until_ok curl --silent --fail "http://127.0.0.1:$admin_port/readyz"
call
expect PetstoreLogLinesDropped
end "$load"
echo 'Every alert was raised.'
