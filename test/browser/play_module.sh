#!/usr/bin/env bash
# The WebAssembly module in Node: the same motion as natively, the same refusals, no garbage, at most four times as slow.
# Skipped (77) where node is absent or the module was not built.
set -eu
command -v node >/dev/null || { echo "skipped: no node on this machine"; exit 77; }
"$REPRISE_SOURCE/tools/build_web" || { echo "skipped: the module cannot be built on this machine"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -d "$REPRISE_BUILD/seeds/bundle" ] || "$REPRISE_BUILD/make_seeds" "$REPRISE_BUILD/seeds"
export REPRISE_WEB=$REPRISE_SOURCE/build-web REPRISE_TWINS=$folder REPRISE_TWIN_PROGRAM=$REPRISE_BUILD/test_web_twin
"$REPRISE_TWIN_PROGRAM" --write "$folder" "$REPRISE_SOURCE/test/keep/bundle" "$REPRISE_BUILD/seeds/bundle"
# One after the other: what is timed should be alone.
cd "$REPRISE_SOURCE/test/web/play"
for test in *.test.mjs; do
	node --expose-gc "$test"
done
