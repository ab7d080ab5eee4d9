#!/usr/bin/env bash
# Three nodes of PostgreSQL with Patroni and etcd on this machine, two servers of this checkout in front, and a load of
# creations and readers, through switchovers and failures:
#
#   deploy/patroni/drill.sh [switchover|node|postgres|hang|stopped|agent|etcd …]
#
# Prints a row of the table in README.md for each failure. Needs the Debian packages patroni, python3-etcd, etcd-server,
# postgresql, curl and jq, and to be root or a user who may run PostgreSQL. PATRONI is another command for Patroni.
source "$(dirname "${BASH_SOURCE[0]}")/../drills/lib.sh"
here=deploy/patroni

failures=("$@")
[ ${#failures[@]} -gt 0 ] || failures=(switchover node postgres hang stopped agent etcd)
names=(one two three)
declare -A postgres_port agent_port agent_pid
for name in "${names[@]}"; do
  postgres_port[$name]=$(free_port)
  agent_port[$name]=$(free_port)
done
etcd_port=$(free_port)

start_etcd() {
  run_in_background etcd etcd --enable-v2 --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd_port" \
    --advertise-client-urls "http://127.0.0.1:$etcd_port" --listen-peer-urls "http://127.0.0.1:$(free_port)"
  etcd=$pid
}

start_agent() {
  run_in_background "patroni-$1" env PATRONI_NAME="$1" PATRONI_ETCD_HOSTS="127.0.0.1:$etcd_port" \
    PATRONI_RESTAPI_LISTEN="127.0.0.1:${agent_port[$1]}" PATRONI_RESTAPI_CONNECT_ADDRESS="127.0.0.1:${agent_port[$1]}" \
    PATRONI_POSTGRESQL_LISTEN="127.0.0.1:${postgres_port[$1]}" \
    PATRONI_POSTGRESQL_CONNECT_ADDRESS="127.0.0.1:${postgres_port[$1]}" \
    PATRONI_POSTGRESQL_DATA_DIR="$work/nodes/$1" PATRONI_POSTGRESQL_PGPASS="$work/nodes/$1.pgpass" \
    PATRONI_POSTGRESQL_BIN_DIR="$pg_bin" \
    PATRONI_SUPERUSER_PASSWORD=drill PATRONI_REPLICATION_PASSWORD=drill \
    "${as_postgres[@]}" ${PATRONI:-patroni} "$here/patroni.yml"
  agent_pid[$1]=$pid
}

is_leader() { curl --silent --fail --max-time 1 "http://127.0.0.1:${agent_port[$1]}/primary" >/dev/null; }
leader() { for name in "${names[@]}"; do if is_leader "$name"; then echo "$name" && return; fi; done; return 1; }
postmaster() { head --lines=1 "$work/nodes/$1/postmaster.pid"; }
postgres_processes() { postmaster "$1" && pgrep --parent "$(postmaster "$1")"; }

# Whether there is a leader with a synchronous standby, and all three nodes run.
is_whole() {
  local leader
  leader=$(leader) || return 1
  curl --silent --max-time 2 "http://127.0.0.1:${agent_port[$leader]}/cluster" |
    jq --exit-status '(.members | map(.role) | sort) == ["leader", "replica", "sync_standby"]
      and all(.members[]; .state == "running" or .state == "streaming")'
}

# Fails in the way that $1 names; $leader is the leader.
fail() {
  case $1 in
    switchover) patronictl --config-file "$work/patronictl.yml" switchover --leader "$leader" --force petstore ;;
    node)
      mapfile -t all < <(postgres_processes "$leader")
      kill -KILL "${agent_pid[$leader]}" "${all[@]}"
      sleep 40
      start_agent "$leader"
      ;;
    postgres) kill -KILL "$(postmaster "$leader")" ;;
    hang)
      mapfile -t all < <(postgres_processes "$leader")
      kill -STOP "${all[@]}"
      sleep 30
      kill -CONT "${all[@]}"
      ;;
    stopped)
      mapfile -t all < <(postgres_processes "$leader")
      kill -STOP "${agent_pid[$leader]}" "${all[@]}"
      sleep 45
      kill -CONT "${agent_pid[$leader]}" "${all[@]}"
      ;;
    agent)
      kill -STOP "${agent_pid[$leader]}"
      sleep 45
      kill -CONT "${agent_pid[$leader]}"
      ;;
    etcd)
      kill -STOP "$etcd"
      sleep 35
      kill -CONT "$etcd"
      ;;
    *) echo "There is no failure $1" >&2 && return 1 ;;
  esac
}

mkdir "$work/nodes"
own "$work/nodes"
start_etcd
for name in "${names[@]}"; do start_agent "$name"; done
printf 'scope: petstore\netcd: { host: "127.0.0.1:%s" }\n' "$etcd_port" >"$work/patronictl.yml"
until_ok leader
until_ok is_whole

leader=$(leader)
export PGPASSWORD=drill
psql --quiet "host=127.0.0.1 port=${postgres_port[$leader]} user=postgres" \
  -c "create role petstore login password 'change-me'" -c "create database petstore owner petstore encoding 'UTF8' template template0"

hosts=
for name in "${names[@]}"; do hosts+=,127.0.0.1:${postgres_port[$name]}; done
export DATABASE_URL="postgres://petstore:change-me@${hosts#,}/petstore?target_session_attrs=read-write"
until_ok petstore migrate
key=$(petstore keys create --name drill 2>/dev/null)
ports=("$(free_port)" "$(free_port)")
for port in "${ports[@]}"; do start_server "$port" "$(free_port)"; done

echo '| failure | creations away (s) | lists away (s) | failed calls of the client | longest call (s) | lost | doubled | skipped | taken back |'
echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
status=0
for failure in "${failures[@]}"; do
  until_ok is_whole
  leader=$(leader)
  node deploy/drills/load.ts --name "$failure" --key "$key" --url "http://127.0.0.1:${ports[0]}/v1" --url "http://127.0.0.1:${ports[1]}/v1" \
    2>>"$work/watch.log" &
  watch=$!
  processes+=("$watch")
  sleep 5
  fail "$failure" >>"$work/fail.log" 2>&1
  until_ok is_whole || until_ok is_whole
  sleep 10
  kill -TERM "$watch"
  wait "$watch" || status=1
done
[ ! -s "$work/watch.log" ] || head --lines=20 "$work/watch.log" >&2
exit "$status"
