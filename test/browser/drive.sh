#!/usr/bin/env bash
# Characters driven in a real browser, from file:// with nothing beside the page: keys, clicks, rewind, two players, what is
# recorded against what `reprise play` makes of it. Skipped (77) where node, npm or Chromium are absent.
set -eu
bash "$REPRISE_SOURCE/test/web/install.sh" || exit $?
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	{ echo "skipped: no Chromium on this machine"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
reprise="$REPRISE_BUILD/reprise"
cd "$folder"
# One take with all gaits, and a few walks for a graph.
"$reprise" perform take --seed 3 -o take.bvh -q --script "stand 2; walk 5 1.2 0; walk 5 1.4 30; walk 5 1.1 -30; stand 2; \
walk 4 1.6 10; run 5 2.5 0; run 5 3 25; run 5 3.2 -25; walk 4 1.3 -10; stand 2; run 5 2.8 0; stand 2"
"$reprise" library add gaits.reprise take.bvh -q
"$reprise" locomotion build gaits.reprise --mirror -q
"$reprise" bundle gaits.reprise --model locomotion --layer lean -o gaits.rpb -q
for turn in 0 15 30 50 75; do "$reprise" perform walk --turn $turn --seed $((turn + 1)) -o walk-$turn.bvh -q; done
"$reprise" library add walks.reprise walk-*.bvh -q
"$reprise" graph build walks.reprise --mirror -q
"$reprise" bundle walks.reprise -o walks.rpb -q
"$reprise" show gaits.rpb walks.rpb -o drive.html -q
"$reprise" show gaits.rpb walk-0.bvh -o both.html -q
CHROMIUM="$chromium" REPRISE="$reprise" node "$REPRISE_SOURCE/test/web/drive.test.mjs" "$folder"
