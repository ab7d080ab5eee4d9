#!/usr/bin/env bash
# Builds the images and runs them as an orchestrator would: as a user without rights, on a read-only root file
# system, the server with a volume. Kills the server and starts it again, runs the conformance suite against it,
# requests the catalogue's list, finds a trace of the server with OpenTelemetry, and stops all with SIGTERM.
#
#   sudo deploy/try-image.sh                # on the base images of deploy/Dockerfile
#   sudo deploy/try-image.sh --local-base   # on Debian packages and the npm package `node`, without a registry of images
#
# It needs buildah (with mmdebstrap for --local-base) and no daemon, root to mount, and Node.js.
source "$(dirname "$0")/drills/lib.sh"
# vfs and chroot also work inside containers.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
containers=()
remove_containers() { for container in "${containers[@]}"; do buildah rm "$container" >/dev/null; done; }
trap 'cleanup; remove_containers' EXIT

arguments=()
if [ "${1:-}" = --local-base ]; then
  # The contents of the two base images of the Dockerfile, from package registries. The next run reuses them.
  if ! buildah inspect --type image localhost/runtime >/dev/null 2>&1; then
    mmdebstrap --quiet --variant=extract --include=base-files,libc6,libstdc++6,ca-certificates bookworm "$work/runtime.tar"
    printf 'FROM scratch\nADD runtime.tar /\n' | buildah build --quiet --tag localhost/runtime --file - "$work" >/dev/null
  fi
  if ! buildah inspect --type image localhost/node >/dev/null 2>&1; then
    mmdebstrap --quiet --variant=minbase --include=libstdc++6,ca-certificates bookworm "$work/node"
    npm install --silent --prefix "$work/npm" node@24
    cp -L "$work/npm/node_modules/node/bin/node" "$work/node/usr/local/bin/node"
    npm install --silent --global --prefix "$work/node/usr/local" npm@11
    # A proxy before the registries may have a certificate of this machine's own authority.
    cp /etc/ssl/certs/ca-certificates.crt "$work/node/etc/ssl/certs/"
    printf 'FROM scratch\nCOPY node /\nENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n' |
      buildah build --quiet --tag localhost/node --file - "$work" >/dev/null
  fi
  arguments=(--build-arg NODE_IMAGE=localhost/node --build-arg RUNTIME_IMAGE=localhost/runtime)
fi

# In Docker's format, because OCI's has no health check.
build() {
  buildah build --format docker --layers "${arguments[@]}" --build-arg REVISION="$(git rev-parse HEAD)" \
    --target "$1" --tag "localhost/petstore-$1" --file deploy/Dockerfile .
}

open_image() {
  local image=localhost/petstore-$1
  containers+=("$(buildah from "$image")")
  root=$(buildah mount "${containers[-1]}")
  # inspect TEMPLATE: values of the image, by a Go template without its outer braces.
  inspect() { buildah inspect --type image --format "{{$1}}" "$image"; }
  user=$(inspect .Docker.Config.User)
  mapfile -t environment < <(inspect 'range .Docker.Config.Env}}{{println .}}{{end')
  mapfile -t entrypoint < <(inspect 'range .Docker.Config.Entrypoint}}{{println .}}{{end')
  mapfile -t check < <(inspect 'with .Docker.Config.Healthcheck}}{{range .Test}}{{println .}}{{end}}{{end')
  echo "The file system of $image takes $(($(du --summarize --bytes "$root" | cut -f 1) / 1024 / 1024)) MiB."
  mkdir -p "$root/data" "$root/proc" "$root/dev"
  # A volume with the owner and the mode of the image's /data.
  [ -e "$work/data" ] || cp -a "$root/data" "$work/data"
}

# in_image COMMAND…: the calling subshell becomes `unshare`, whose child is the command, as process 1 in the image.
# `buildah run` would have a writable root file system.
in_image() {
  exec env -i PATH="$PATH" "${environment[@]}" unshare --mount --pid --fork bash -c '
    root=$1 data=$2 user=$3; shift 3
    mount --bind "$root" "$root"
    mount --bind "$data" "$root/data"
    mount -o remount,bind,ro "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot --userspec="$user" "$root" "$@"' bash "$root" "$work/data" "$user" "$@"
}

# check_health PID: finds the child of the `unshare` with this PID, and runs the health check without Docker's `CMD`.
check_health() { process=$(pgrep --parent "$1") && (in_image "${check[@]:1}"); }
# Starts the image and waits until its health check succeeds.
start() {
  (in_image "${entrypoint[0]}" -e 'assert.throws(() => fs.writeFileSync("/tmp/file", ""), { code: "EROFS" })')
  in_image "${entrypoint[@]}" "$@" >>"$work/image.log" &
  until_ok check_health $!
  # Fails if another program took the port and passed the health check.
  kill -0 "$process"
  processes+=("$process")
  echo "Healthy, as user and group $(ps -o uid=,gid= -p "$process") and process $(awk '/^NSpid/ {print $NF}' "/proc/$process/status")"
}

build server
open_image server
port=$(free_port)
environment+=("PORT=$port")
if (in_image "${entrypoint[@]}" serve 2>/dev/null); then
  echo "The server starts without DATABASE_URL" >&2
  exit 1
fi
environment+=("DATABASE_URL=sqlite:/data/petstore.db")
key=$(in_image "${entrypoint[@]}" keys create --name conformance)
start serve

pets=http://127.0.0.1:$port/v1/pets
pet=$(curl --silent --fail --oauth2-bearer "$key" --json '{"name":"Rex","categoryId":1}' "$pets")
kill -KILL "$process"
wait $! || true
processes=()
start serve
[ "$(curl --silent --fail --oauth2-bearer "$key" "$pets")" = "[$pet]" ]
echo 'A pet has outlasted SIGKILL and a new start.'

build conformance
open_image conformance
environment+=("PETSTORE_API_KEY=$key")
(in_image "${entrypoint[@]}" --base-url "http://127.0.0.1:$port/v1")

build catalogue
open_image catalogue
web_port=$(free_port)
environment+=("PORT=$web_port" "PETSTORE_BASE_URL=http://127.0.0.1:$port/v1" "PETSTORE_API_KEY=$key")
start
curl --silent --fail --location --header 'X-Forwarded-User: operator' "http://127.0.0.1:$web_port/" | grep -o '<title>.*</title>'

build server-traced
open_image server-traced
port=$(free_port)
# No collector listens: a stop that waits too long for one is killed, and the loop at the end would fail.
environment+=("PORT=$port" "DATABASE_URL=sqlite:/data/traced.db" "API_KEYS=$key" OTEL_TRACES_EXPORTER=console,otlp OTEL_METRICS_EXPORTER=none)
start serve
curl --silent --fail --oauth2-bearer "$key" "http://127.0.0.1:$port/v1/pets"
find_trace() {
  trace=$(sed -n 's/.*"route":"\/v1\/pets".*"trace_id":"\(\w*\)".*/\1/p' "$work/image.log")
  [ -n "$trace" ] && grep "traceId: '$trace'" "$work/image.log"
}
until_ok find_trace
echo "The log line of a request has the id of its trace, $trace."

for process in "${processes[@]}"; do stop "$process"; done
processes=()
# `set -e` ends the script at the first exit code that is not 0.
for job in $(jobs -p); do wait "$job"; done
echo 'All stopped by SIGTERM with exit code 0.'
