#!/usr/bin/env bash
# The page's viewer in a real browser: opens from file://, plays, scrubs, turns, listens to keys, fits the window,
# and shows hostile names as text. Skipped (77) where node, npm or Chromium are absent.
set -eu
bash "$REPRISE_SOURCE/test/web/install.sh" || exit $?
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	{ echo "skipped: no Chromium on this machine"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$REPRISE_BUILD/test_page" --write "$folder"
CHROMIUM="$chromium" node "$REPRISE_SOURCE/test/web/viewer.test.mjs" "$folder"
