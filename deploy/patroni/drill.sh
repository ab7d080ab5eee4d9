#!/usr/bin/env bash
# Runs three nodes of PostgreSQL with Patroni, each in a network namespace, one etcd, and two servers of this checkout.
# Writers and readers call the servers while the leader fails, by default in each way that `fail` knows:
#
#   deploy/patroni/drill.sh [FAILURE…]
#
# `switchover` and `postgres` take a moment. Other failures last 30 to 90 s, longer than the leader's lease (20 s) and an
# election, and then heal. Prints a table with a row for each failure. Needs root and the Debian packages patroni,
# python3-etcd, etcd-server, postgresql, iproute2, curl and jq. PATRONI replaces the command `patroni`.
source "$(dirname "${BASH_SOURCE[0]}")/../drills/lib.sh"
here=deploy/patroni

[ $# -gt 0 ] || set -- switchover node postgres hung-postgres hung-node agent standby etcd etcd-link standby-links links cable
names=(one two three)
# Addresses of the bridge. etcd has its own, so that a link to etcd can be cut alone.
servers_address=10.77.0.1 etcd_address=10.77.0.5
declare -A address=([one]=10.77.0.2 [two]=10.77.0.3 [three]=10.77.0.4) port agent_pid
# The ports differ, because a Unix socket is named after its port, and all nodes create theirs in one folder.
for name in "${names[@]}"; do port[$name]=$(free_port); done
export PATRONI_ETCD_HOSTS=$etcd_address:2379

remove_network() {
  for name in "${names[@]}"; do ip netns delete "petstore-$name" || true; done
  ip link delete petstore-drill
}
trap 'cleanup; remove_network' EXIT

start_network() {
  ip link add petstore-drill type bridge
  for own in $servers_address $etcd_address; do ip address add "$own/24" dev petstore-drill; done
  ip link set petstore-drill up
  for name in "${names[@]}"; do
    ip netns add "petstore-$name"
    ip link add "petstore-$name" master petstore-drill type veth peer name eth0 netns "petstore-$name"
    ip link set "petstore-$name" up
    ip -n "petstore-$name" address add "${address[$name]}/24" dev eth0
    ip -n "petstore-$name" link set eth0 up
    ip -n "petstore-$name" link set lo up
  done
}

start_agent() {
  run_in_background "patroni-$1" ip netns exec "petstore-$1" env PATRONI_NAME="$1" \
    PATRONI_RESTAPI_LISTEN="${address[$1]}:8008" PATRONI_RESTAPI_CONNECT_ADDRESS="${address[$1]}:8008" \
    PATRONI_POSTGRESQL_LISTEN="${address[$1]}:${port[$1]}" PATRONI_POSTGRESQL_CONNECT_ADDRESS="${address[$1]}:${port[$1]}" \
    PATRONI_POSTGRESQL_DATA_DIR="$work/nodes/$1" PATRONI_POSTGRESQL_PGPASS="$work/nodes/$1.pgpass" \
    PATRONI_POSTGRESQL_BIN_DIR="$pg_bin" \
    PATRONI_SUPERUSER_PASSWORD=drill PATRONI_REPLICATION_PASSWORD=drill \
    "${as_postgres[@]}" ${PATRONI:-patroni} "$here/patroni.yml"
  agent_pid[$1]=$pid
}

# first_with ROLE: the first node for which Patroni's REST API says that it has this role.
first_with() {
  for name in "${names[@]}"; do
    if curl --silent --fail --max-time 1 --output /dev/null "http://${address[$name]}:8008/$1"; then
      echo "$name" && return
    fi
  done
  return 1
}
postmaster() { head --lines=1 "$work/nodes/$1/postmaster.pid"; }

# Whether there is a leader with a synchronous standby, and all three nodes run.
is_whole() {
  local leader
  leader=$(first_with primary) || return 1
  curl --silent --max-time 2 "http://${address[$leader]}:8008/cluster" |
    jq --exit-status '(.members | map(.role) | sort) == ["leader", "replica", "sync_standby"]
      and all(.members[]; .state == "running" or .state == "streaming")'
}

# suspend_for SECONDS PROCESS…: suspends processes by SIGSTOP.
suspend_for() {
  kill -STOP "${@:2}"
  sleep "$1"
  kill -CONT "${@:2}"
}

# cut_links ADDRESS…: the leader's packets to these addresses go to a MAC address that no node has, for 45 seconds.
cut_links() {
  for to in "$@"; do
    ip -n "petstore-$leader" neighbor replace "$to" lladdr 02:00:00:00:00:01 nud permanent dev eth0
  done
  sleep 45
  for to in "$@"; do ip -n "petstore-$leader" neighbor delete "$to" dev eth0; done
}

# Causes the failure that $1 names. $leader is the name of the leader.
fail() {
  local standby peers=()
  standby=$(first_with sync)
  mapfile -t processes_of_leader < <(postmaster "$leader" && pgrep --parent "$(postmaster "$leader")")
  for name in "${names[@]}"; do [ "$name" = "$leader" ] || peers+=("${address[$name]}"); done
  case $1 in
    switchover) patronictl -c "$here/patroni.yml" switchover --leader "$leader" --force petstore ;;
    node)
      kill -KILL "${agent_pid[$leader]}" "${processes_of_leader[@]}"
      sleep 40
      start_agent "$leader"
      ;;
    postgres) kill -KILL "$(postmaster "$leader")" ;;
    hung-postgres) suspend_for 30 "${processes_of_leader[@]}" ;;
    hung-node) suspend_for 45 "${agent_pid[$leader]}" "${processes_of_leader[@]}" ;;
    agent)
      # The suspended agent leaves its PostgreSQL running as a second primary. A server that starts then must not use it.
      suspend_for 90 "${agent_pid[$leader]}" &
      local suspension=$!
      sleep 45
      stop "$second_server"
      start_second_server "$leader"
      wait "$suspension"
      ;;
    standby)
      mapfile -t all < <(postmaster "$standby" && pgrep --parent "$(postmaster "$standby")")
      suspend_for 45 "${agent_pid[$standby]}" "${all[@]}"
      ;;
    etcd) suspend_for 35 "$etcd" ;;
    etcd-link) cut_links "$etcd_address" ;;
    standby-links) cut_links "${peers[@]}" ;;
    links) cut_links "$etcd_address" "${peers[@]}" ;;
    cable)
      ip link set "petstore-$leader" down
      sleep 45
      ip link set "petstore-$leader" up
      ;;
    *) echo "There is no failure $1" >&2 && return 1 ;;
  esac
}

# A URL with all nodes, $1 first.
url_from() {
  local hosts="${address[$1]}:${port[$1]}"
  for name in "${names[@]}"; do [ "$name" = "$1" ] || hosts+=",${address[$name]}:${port[$name]}"; done
  echo "postgres://petstore:change-me@$hosts/petstore?target_session_attrs=primary"
}

start_second_server() {
  DATABASE_URL=$(url_from "$1") start_server "${ports[1]}" "${admin_ports[1]}"
  second_server=$pid
}

start_network
mkdir "$work/nodes"
chown postgres: "$work/nodes"
run_in_background etcd etcd --enable-v2 --data-dir "$work/etcd" --listen-peer-urls "http://127.0.0.1:$(free_port)" \
  --listen-client-urls "http://$PATRONI_ETCD_HOSTS" --advertise-client-urls "http://$PATRONI_ETCD_HOSTS"
etcd=$pid
for name in "${names[@]}"; do start_agent "$name"; done
until_ok first_with primary
until_ok is_whole

leader=$(first_with primary)
PGPASSWORD=drill psql --quiet "host=${address[$leader]} port=${port[$leader]} user=postgres" \
  -c "create role petstore login password 'change-me'" \
  -c "create database petstore owner petstore encoding 'UTF8' template template0"
DATABASE_URL=$(url_from one)
export DATABASE_URL
until_ok petstore migrate
key=$(petstore keys create --name drill 2>/dev/null)
ports=("$(free_port)" "$(free_port)") admin_ports=("$(free_port)" "$(free_port)")
start_server "${ports[0]}" "${admin_ports[0]}"
start_second_server one

# load.ts prints the rows. Its first comment explains the columns.
echo '| failure | creations unavailable (s) | lists unavailable (s) | pet missing (s) | failed calls of the client | lost | doubled | skipped | taken back |'
echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
status=0
for failure in "$@"; do
  until_ok is_whole
  leader=$(first_with primary)
  node deploy/drills/load.ts --name "$failure" --key "$key" --url "http://127.0.0.1:${ports[0]}/v1" --url "http://127.0.0.1:${ports[1]}/v1" \
    2>>"$work/load.log" &
  load=$!
  processes+=("$load")
  # The callers also run for some seconds before and after the failure.
  sleep 5
  fail "$failure" >>"$work/fail.log" 2>&1
  # The cluster may take longer than the minute after which `until_ok` gives up.
  until_ok is_whole || until_ok is_whole
  sleep 10
  kill -TERM "$load"
  wait "$load" || status=1
done
[ ! -s "$work/load.log" ] || head --lines=20 "$work/load.log" >&2
exit "$status"
