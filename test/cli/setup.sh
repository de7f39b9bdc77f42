#!/usr/bin/env bash
# tools/setup: silent and without apt-get when all is there; without rights it prints the line and stops with 2.
set -euo pipefail
fail() {
	echo "FAILED: $*" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp "$REPRISE_SOURCE/tools/setup" "$work/setup"

# An apt-get that must not be called.
mkdir "$work/bin"
printf '#!/bin/sh\necho called >>%s/calls\nexit 1\n' "$work" >"$work/bin/apt-get"
printf '#!/bin/sh\necho %s\n' 1000 >"$work/bin/id"
chmod 755 "$work/bin/"*
output=$(PATH=$work/bin:$PATH "$work/setup" build 2>&1) || fail "all is there, but it says: $output"
[ -z "$output" ] || fail "not silent: $output"
[ ! -e "$work/calls" ] || fail "apt-get was called"

# A PATH on which nothing is installed, and a user who is not root.
for tool in bash cat; do ln -s "$(command -v $tool)" "$work/bin/"; done
status=0
output=$(PATH=$work/bin bash "$work/setup" build 2>&1) || status=$?
[ $status = 2 ] || fail "exit $status, expected 2: $output"
grep -q 'apt-get install --no-install-recommends .*cmake.*libsqlite3-dev' <<<"$output" || fail "no line to run: $output"
[ ! -e "$work/calls" ] || fail "apt-get was called without rights"

status=0
"$work/setup" nonsense 2>/dev/null || status=$?
[ $status = 2 ] || fail "an unknown group gives $status"
