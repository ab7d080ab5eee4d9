# Functions of all drills and of deploy/try-image.sh. A drill starts its processes on free ports of 127.0.0.1, in a
# temporary folder, and ends them, even suspended ones. The checkout must be built (`pnpm build`).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
chmod 755 "$work" # PostgreSQL runs as another user.
processes=()

cleanup() {
  local status=$?
  [ "$status" = 0 ] || tail --lines=5 "$work"/*.log >&2 || true
  for process in "${processes[@]}"; do kill -CONT "$process" 2>/dev/null && kill -TERM "$process" 2>/dev/null || true; done
  for process in "${processes[@]}"; do timeout 10 tail --pid="$process" --follow /dev/null || kill -KILL "$process"; done
  rm -rf "$work"
}
trap cleanup EXIT

free_port() { node -e 'const s = net.createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

petstore() { node apps/server/dist/cli.js "$@"; }

# run_in_background NAME COMMAND…: its output goes to NAME.log, its process id to $pid.
run_in_background() {
  "${@:2}" >>"$work/$1.log" 2>&1 &
  pid=$!
  # Without disown, the shell prints a message when the process is killed.
  disown "$pid"
  processes+=("$pid")
}

# stop PID: stops a process by SIGTERM, and waits for its end.
stop() {
  kill -TERM "$1"
  tail --pid="$1" --follow /dev/null
}

# until_ok COMMAND…: repeats a command until it succeeds, for a minute at most.
until_ok() {
  local end=$((SECONDS + 60))
  until "$@" >"$work/last-try.log" 2>&1; do
    [ $SECONDS -lt $end ] || { echo "This did not succeed within a minute: $*" >&2; return 1; }
    sleep 0.2
  done
}

# PostgreSQL refuses to run as root.
as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
pg_bin=$(pg_config --bindir 2>/dev/null || find /usr/lib/postgresql -maxdepth 2 -name bin | sort --version-sort | tail -n 1 || true)

# start_server PORT ADMIN_PORT: a server of this checkout, in the environment of the caller. Its process id is in $pid.
start_server() {
  run_in_background "server-$1" env NODE_ENV=production PORT="$1" ADMIN_PORT="$2" LOG_LEVEL=warn node apps/server/dist/cli.js serve
  until_ok curl --silent --fail "http://127.0.0.1:$2/readyz"
}
