#!/bin/sh
# Creates the secrets of deploy/compose.yaml: a password of PostgreSQL, and the DATABASE_URL with it. Existing secrets
# stay as they are. Their folder is the owner's alone, but other users in the containers must be able to read the files.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
cd secrets
umask 022
# The script ends if `od` fails, instead of going on with an empty password. The words of its output are joined.
[ -s database-password ] || {
  password=$(od -An -N24 -tx1 /dev/urandom)
  printf %s $password >database-password
}
[ -s database-url ] || printf 'postgres://petstore:%s@database/petstore\n' "$(cat database-password)" >database-url
