#!/usr/bin/env bash
# TLS end to end, with an authority made for the drill: callers to HAProxy, and the server to PostgreSQL with
# sslmode=verify-full. Sees that what is not encrypted or not certified is refused.
#
#   deploy/drills/tls.sh
#
# It needs the Debian packages postgresql, haproxy, openssl and curl.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# certify NAME HOST: $work/NAME.crt and $work/NAME.key, for that host name.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=Drill' -keyout "$work/ca.key" -out "$work/ca.crt" 2>/dev/null
certify() {
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$2" -keyout "$work/$1.key" -out "$work/$1.csr" 2>/dev/null
  openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -days 2 -out "$work/$1.crt" \
    -extfile <(printf 'subjectAltName=DNS:%s' "$2") 2>/dev/null
}
certify database localhost
certify proxy petstore.example

database_port=$(free_port) port=$(free_port) admin_port=$(free_port) public_port=$(free_port)
make_postgres postgres
cp "$work/database.crt" "$work/database.key" "$work/postgres"
chmod 600 "$work/postgres/database.key"
own "$work/postgres"
start_postgres postgres "$database_port" -c ssl=on -c ssl_cert_file=database.crt -c ssl_key_file=database.key
administrator="host=127.0.0.1 port=$database_port user=postgres"
psql --quiet "$administrator" -c "create role petstore login password 'change-me'" -c 'create database petstore owner petstore'
# From now on only with TLS and a password.
printf 'hostssl petstore petstore all scram-sha-256\n' >"$work/postgres/pg_hba.conf"
kill -HUP "$pid"

url="postgres://petstore:change-me@localhost:$database_port/petstore"
refuse() {
  if DATABASE_URL=$2 petstore migrate 2>"$work/refused"; then
    echo "This was not refused: $1" >&2
    exit 1
  fi
  echo "Refused, $1: $(cat "$work/refused")"
}
refuse 'without TLS' "$url?sslmode=disable"
refuse 'by an authority that is not known' "$url?sslmode=verify-full"
refuse 'under another name' "${url/localhost/127.0.0.1}?sslmode=verify-full&sslrootcert=$work/ca.crt"
export DATABASE_URL="$url?sslmode=verify-full&sslrootcert=$work/ca.crt"
petstore migrate 2>/dev/null
key=$(petstore keys create --name drill 2>/dev/null)
start_server "$port" "$admin_port"
echo 'Accepted, with sslmode=verify-full'

cat "$work/proxy.crt" "$work/proxy.key" >"$work/proxy.pem"
run_in_background haproxy env BIND="127.0.0.1:$public_port" \
  BIND_OPTIONS="ssl crt $work/proxy.pem alpn h2,http/1.1 ssl-min-ver TLSv1.2" \
  SERVER_ONE="127.0.0.1:$port" SERVER_TWO="127.0.0.1:$port" ADMIN_ONE="$admin_port" ADMIN_TWO="$admin_port" \
  haproxy -f deploy/haproxy.cfg
call() { curl --silent --show-error --resolve "petstore.example:$public_port:127.0.0.1" --header "Authorization: Bearer $key" "$@"; }
until_ok call --fail --cacert "$work/ca.crt" "https://petstore.example:$public_port/v1/pets"
call --cacert "$work/ca.crt" --output /dev/null --write-out 'Callers: HTTP/%{http_version}, status %{response_code}\n' \
  "https://petstore.example:$public_port/v1/pets"
if call "https://petstore.example:$public_port/v1/pets" 2>/dev/null; then exit 1; fi
if call --fail "http://petstore.example:$public_port/v1/pets" 2>/dev/null; then exit 1; fi
echo 'Callers without the authority, and without TLS, get nothing'
