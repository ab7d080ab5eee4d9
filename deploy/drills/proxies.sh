#!/usr/bin/env bash
# Two servers on PostgreSQL behind HAProxy and behind nginx, with the configurations of this folder's parent: restarts of
# one server after another under load, and floods from one address.
#
#   deploy/drills/proxies.sh [haproxy|nginx|none]      # `none` floods a server directly
#
# It needs the Debian packages postgresql, haproxy, nginx and curl.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

database_port=$(free_port)
make_postgres postgres
start_postgres postgres "$database_port"
psql --quiet "host=127.0.0.1 port=$database_port user=postgres" -c 'create database petstore'
export DATABASE_URL="postgres://postgres@127.0.0.1:$database_port/petstore" TRUSTED_PROXIES=127.0.0.1
petstore migrate 2>/dev/null
key=$(petstore keys create --name drill 2>/dev/null)
ports=("$(free_port)" "$(free_port)") admin_ports=("$(free_port)" "$(free_port)") servers=()

start_haproxy() {
  run_in_background haproxy env BIND="127.0.0.1:$port" SERVER_ONE="127.0.0.1:${ports[0]}" SERVER_TWO="127.0.0.1:${ports[1]}" \
    ADMIN_ONE="${admin_ports[0]}" ADMIN_TWO="${admin_ports[1]}" haproxy -f deploy/haproxy.cfg
}

start_nginx() {
  mkdir "$work/nginx"
  sed --expression="s/server-one:3000/127.0.0.1:${ports[0]}/; s/server-two:3000/127.0.0.1:${ports[1]}/; s/listen 8080/listen 127.0.0.1:$port/" \
    --expression="s#^http {#daemon off; pid $work/nginx/pid; error_log $work/nginx.log;\n&\n  client_body_temp_path $work/nginx/body; proxy_temp_path $work/nginx/proxy; fastcgi_temp_path $work/nginx/fastcgi; uwsgi_temp_path $work/nginx/uwsgi; scgi_temp_path $work/nginx/scgi;#" \
    deploy/nginx.conf >"$work/nginx.conf"
  run_in_background nginx nginx -c "$work/nginx.conf"
}

restart_each_server() {
  for number in 0 1; do
    sleep "$1"
    stop "${servers[number]}"
    start_server "${ports[number]}" "${admin_ports[number]}"
    servers[number]=$pid
  done
}

restart_under_load() {
  local times=$1 pause=$2
  node deploy/drills/load.ts --url "http://127.0.0.1:$port/v1" --key "$key" --seconds $((times * 10)) &
  local load=$!
  processes+=("$load")
  for ((time = 0; time < times; time++)); do restart_each_server "$pause"; done
  wait "$load"
}

flood() {
  echo 'no flood'
  node deploy/drills/flood.ts --port "$port" --admin-port "${admin_ports[0]}" --key "$key" --connections 0
  for flood in '2500 64' '300 1000'; do
    read -r connections pipelined <<<"$flood"
    for guess in '' --guess; do
      echo "$connections connections of $pipelined pipelined requests ${guess:+with a wrong key}"
      node deploy/drills/flood.ts --port "$port" --admin-port "${admin_ports[0]}" --key "$key" --connections "$connections" --pipelined "$pipelined" ${guess:+"$guess"}
    done
  done
  echo "  a server took $(($(awk '/VmHWM/ {print $2}' "/proc/${servers[0]}/status") / 1024)) MiB at most"
}

ulimit -n 20000
for proxy in ${1:-haproxy nginx}; do
  # HAProxy must notice that a server stops while that one still serves; nginx notices when it has stopped.
  if [ "$proxy" = haproxy ]; then export SHUTDOWN_GRACE_MS=5000; else export SHUTDOWN_GRACE_MS=0; fi
  for number in 0 1; do
    start_server "${ports[number]}" "${admin_ports[number]}"
    servers[number]=$pid
  done
  port=${ports[0]}
  if [ "$proxy" != none ]; then
    port=$(free_port)
    "start_$proxy"
    proxy_pid=$pid
    until_ok curl --silent --fail "http://127.0.0.1:$port/readyz"
    echo "Behind $proxy: restarts under load, and floods"
    restart_under_load 3 1
  fi
  flood
  for server in "${servers[@]}"; do stop "$server"; done
  [ "$proxy" = none ] || stop "$proxy_pid"
done
