#!/usr/bin/env bash
# Builds the image of the server and runs it as an orchestrator would: as a user without rights, on a read-only
# root file system, with a volume. Runs the conformance suite against it and stops it with SIGTERM.
#
#   sudo deploy/try-image.sh                # on the base images of deploy/Dockerfile
#   sudo deploy/try-image.sh --local-base   # on Debian packages and the npm package `node`, without a registry of images
#
# It needs buildah (with mmdebstrap for --local-base) and no daemon, root to mount, Node.js and pnpm.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
# vfs and chroot work inside of containers too.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
server='' container=''
port=$(node -e 'const s = net.createServer().listen(0, () => { console.log(s.address().port); s.close(); })')

cleanup() {
  [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
  [ -z "$container" ] || buildah rm "$container" >/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

arguments=()
if [ "${1:-}" = --local-base ]; then
  # What the two base images of the Dockerfile have, from package registries. They are kept for the next run.
  if ! buildah inspect --type image localhost/runtime >/dev/null 2>&1; then
    mmdebstrap --quiet --variant=extract --include=base-files,libc6,libstdc++6,ca-certificates bookworm "$work/runtime.tar"
    printf 'FROM scratch\nADD runtime.tar /\n' | buildah build --quiet --tag localhost/runtime --file - "$work" >/dev/null
  fi
  if ! buildah inspect --type image localhost/node >/dev/null 2>&1; then
    mmdebstrap --quiet --variant=minbase --include=libstdc++6,ca-certificates bookworm "$work/node"
    npm install --silent --prefix "$work/npm" node@24
    cp -L "$work/npm/node_modules/node/bin/node" "$work/node/usr/local/bin/node"
    npm install --silent --global --prefix "$work/node/usr/local" npm@11
    # Registries may be behind a proxy of this machine's own authority.
    cp /etc/ssl/certs/ca-certificates.crt "$work/node/etc/ssl/certs/"
    printf 'FROM scratch\nCOPY node /\nENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n' |
      buildah build --quiet --tag localhost/node --file - "$work" >/dev/null
  fi
  arguments=(--build-arg NODE_IMAGE=localhost/node --build-arg RUNTIME_IMAGE=localhost/runtime)
fi

# In the format of Docker, because that of OCI knows no health check.
buildah build --format docker "${arguments[@]}" --build-arg REVISION="$(git rev-parse HEAD)" \
  --tag localhost/petstore --file deploy/Dockerfile .

container=$(buildah from localhost/petstore)
root=$(buildah mount "$container")
inspect() { buildah inspect --type image --format "{{$1}}" localhost/petstore; }
user=$(inspect .Docker.Config.User)
mapfile -t environment < <(inspect 'range .Docker.Config.Env}}{{println .}}{{end')
mapfile -t command < <(inspect 'range .Docker.Config.Entrypoint}}{{println .}}{{end')
mapfile -t check < <(inspect 'range .Docker.Config.Healthcheck.Test}}{{println .}}{{end')
size=$(du --summarize --bytes "$root" | cut -f 1)
# A volume that is as the image made /data.
cp -a "$root/data" "$work/data"

# Becomes a command in the image, as process 1: to be called in a subshell. `buildah run` would give it a root file
# system that can be written to.
in_image() {
  exec env -i PATH="$PATH" "${environment[@]}" PORT="$port" \
    unshare --mount --pid --fork bash -c '
      root=$1 data=$2 user=$3; shift 3
      mkdir -p "$root/proc" "$root/dev"
      mount --bind "$root" "$root"
      mount --bind "$data" "$root/data"
      mount -o remount,bind,ro "$root"
      mount -t proc proc "$root/proc"
      mount --rbind /dev "$root/dev"
      exec chroot --userspec="$user" "$root" "$@"' bash "$root" "$work/data" "$user" "$@"
}

if (in_image "${command[0]}" -e 'fs.writeFileSync("/app/file", "")' 2>/dev/null); then
  echo "The root file system can be written to" >&2
  exit 1
fi

key=$(in_image "${command[@]}" keys create --name conformance)
in_image "${command[@]}" serve >"$work/log" &
unshared=$!
for ((tries = 0; tries < 100; tries++)); do
  server=$(pgrep --parent "$unshared") && (in_image "${check[@]:1}") 2>/dev/null && break
  sleep 0.2
done
(in_image "${check[@]:1}")
echo "User in the image: $(ps -o uid=,gid= -p "$server"); process in its namespace: $(awk '/^NSpid/ {print $NF}' "/proc/$server/status")"

PETSTORE_API_KEY=$key pnpm conformance --base-url "http://127.0.0.1:$port/v1"

kill -TERM "$server"
server=
code=0
wait "$unshared" || code=$?
grep '"msg":"Stopping"' "$work/log"
echo "Stopped by SIGTERM with exit code $code. The file system of the image takes $((size / 1024 / 1024)) MiB."
exit "$code"
