#!/bin/sh
# Starts the server (start, demo) or runs a command of the command line, with the Node of the current release alone. It is not replaced by
# updates: a server that ends with 75 has switched to another release, which is started in its place. A release that was switched to has
# not proved itself while `unproved` exists: when it ends by itself, or does not prove itself in time, the release named there decides.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd -P)
export NODE_ENV="${NODE_ENV:-production}"
export APPWARDEN_HOME="$here" APPWARDEN_LAUNCHER="$$"
web="${APPWARDEN_WEB:-}"
sdk="${APPWARDEN_SDK:-}"
case "${1:-help}" in
  demo) export APPWARDEN_DEMO=1 APPWARDEN_DATA="${APPWARDEN_DATA:-$here/data/demo}" ;;
  *) export APPWARDEN_DATA="${APPWARDEN_DATA:-$here/data}" ;;
esac
unproved="$APPWARDEN_DATA/updates/unproved"

# The folder of a release by its version, without links: a running server never sees files of two releases.
use() {
  release="$here/releases/$1"
  export APPWARDEN_WEB="${web:-$release/dist/web}" APPWARDEN_SDK="${sdk:-$release/dist/sdk}"
}
current() {
  basename "$(readlink "$here/current")"
}

# Runs the server of the release and waits for it, whatever signals come. Sets code.
serve() {
  "$release/bin/node" "$release/dist/node/main.js" &
  server=$!
  watch=
  if [ -f "$unproved" ]; then
    (sleep "$((${APPWARDEN_UPDATE_LIMIT:-600} + 300))" && [ -f "$unproved" ] && kill -KILL "$server") > /dev/null 2>&1 &
    watch=$!
  fi
  [ -z "$ended" ] || kill -TERM "$server" 2> /dev/null || :
  while :; do
    code=0
    wait "$server" || code=$?
    kill -0 "$server" 2> /dev/null || break
  done
  [ -z "$watch" ] || kill "$watch" 2> /dev/null || :
}

case "${1:-help}" in
  start | demo)
    ended=
    server=
    trap 'ended=1; [ -z "$server" ] || kill -TERM "$server" 2> /dev/null || :' TERM INT
    use "$(current)"
    while :; do
      serve
      [ -z "$ended" ] || exit "$code"
      if [ "$code" -eq 75 ]; then
        use "$(current)"
      elif [ "$code" -ne 0 ] && [ -f "$unproved" ] && [ -z "${recovering:-}" ]; then
        echo "The release $(current) ended with $code before it proved itself: $(cat "$unproved") decides." >&2
        use "$(cat "$unproved")"
        recovering=1
        continue
      else
        exit "$code"
      fi
      recovering=
    done
    ;;
  *)
    use "$(current)"
    exec "$release/bin/node" "$release/dist/node/cli.js" "$@"
    ;;
esac
