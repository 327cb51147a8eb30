#!/bin/sh
# Starts the server (start, demo) or runs a command of the command line, with the Node of this package alone.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd -P)
export NODE_ENV="${NODE_ENV:-production}"
export APPWARDEN_WEB="${APPWARDEN_WEB:-$here/dist/web}"
export APPWARDEN_SDK="${APPWARDEN_SDK:-$here/dist/sdk}"
case "${1:-help}" in
  demo) export APPWARDEN_DEMO=1 APPWARDEN_DATA="${APPWARDEN_DATA:-$here/data/demo}" ;;
  *) export APPWARDEN_DATA="${APPWARDEN_DATA:-$here/data}" ;;
esac
case "${1:-help}" in
  start | demo) exec "$here/bin/node" "$here/dist/node/main.js" ;;
  *) exec "$here/bin/node" "$here/dist/node/cli.js" "$@" ;;
esac
