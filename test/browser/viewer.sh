#!/usr/bin/env bash
# The page's viewer in a real browser: opens from file://, plays, scrubs, turns, listens to keys, fits the window,
# and shows hostile names as text; and its stage alone, with WebGL and without. Skipped (77) where node, npm or Chromium are absent.
set -eu
bash "$REPRISE_SOURCE/test/web/install.sh" || exit $?
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	{ echo "skipped: no Chromium on this machine"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$REPRISE_BUILD/test_page" --write "$folder"
export CHROMIUM="$chromium"
status=0
node "$REPRISE_SOURCE/test/web/viewer.test.mjs" "$folder" || status=1

esbuild "$REPRISE_SOURCE/test/web/stage_room.mjs" --bundle --format=iife --target=es2020 --log-level=warning --outfile="$folder/room.js"
{
	echo '<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><style>'
	cat "$REPRISE_SOURCE/web/page/page.css"
	echo '.stage { position: fixed; inset: 0; }</style><section class="stage"></section><script>'
	cat "$folder/room.js"
	echo '</script>'
} >"$folder/room.html"
node "$REPRISE_SOURCE/test/web/stage.test.mjs" "$folder/room.html" || status=1
exit $status
