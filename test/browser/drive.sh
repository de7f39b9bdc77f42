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
# Strides by how far they turn, and punches by where they hit.
examples=()
for turn in -50 -25 0 25 50; do
	"$reprise" perform walk --turn $turn --seconds 4 -o stride$turn.bvh -q
	read -r from to <<<"$(grep -o '"time_s": *[0-9.]*, *"name": *"heel_strike_left"' stride$turn.json | grep -o '[0-9][0-9.]*' | head -2 | tr '\n' ' ')"
	examples+=("stride$turn@$from..$to")
done
"$reprise" library add strides.reprise stride*.bvh -q
"$reprise" space build strides.reprise "${examples[@]}" -p turn --name strides -q
"$reprise" bundle strides.reprise --model strides --layer lean -o strides.rpb -q
for target in 1.1,0.6 1.1,0.86 1.6,0.6 1.6,0.86 1.35,0.73; do
	"$reprise" perform punch --height ${target%,*} --reach ${target#*,} --fps 60 -o punch-$target.bvh -q
	"$reprise" library add punches.reprise punch-$target.bvh --name punch-${target/,/-} -q
done
"$reprise" space build punches.reprise punch-{1.1-0.6,1.1-0.86,1.6-0.6,1.6-0.86,1.35-0.73} -p right_wrist.y@hit,right_wrist.z@hit --name punches -q
"$reprise" bundle punches.reprise --model punches -o punches.rpb -q
"$reprise" show strides.rpb punches.rpb gaits.rpb -o spaces.html -q
# Who punches and turns on the spot; and who walks and runs.
mkdir acts
cd acts
# From the first event of a name after a time to the next one.
stretch() {
	jq -r --arg name "$1" --arg event "$2" --argjson after "$3" \
		'[.events[] | select((.name | test($event)) and .time_s > $after) | .time_s] | "\($name)@\(.[0])..\(.[1])"' "$1.json"
}
add_space() {
	local name=$1 features=$2 event=$3 after=$4 file examples=()
	for file in "$name"-*.bvh; do examples+=("$(stretch "${file%.bvh}" "$event" "$after")"); done
	"$reprise" library add acts.reprise "$name"-*.bvh -q
	"$reprise" space build acts.reprise "${examples[@]}" -p "$features" --name "$name" -q
}
n=0
for side in -0.4 0 0.4; do for height in 1.2 1.5; do for reach in 0.6 1; do
	"$reprise" perform guard-punch --side=$side --height=$height --reach=$reach --fps 60 -o box-$((++n)).bvh -q
done; done; done
for angle in -45 0 45; do "$reprise" perform guard-dance --angle=$angle --fps 60 -o dance-$angle.bvh -q; done
for turn in -60 -30 0 30 60; do for speed in 0.9 1.6; do
	"$reprise" perform walk --turn $turn --speed $speed --seconds 4 --fps 60 -o walk-$turn-$speed.bvh -q
done; done
for turn in -40 0 40; do "$reprise" perform jog --turn $turn --seconds 4 --fps 60 -o run-$turn.bvh -q; done
add_space box right_wrist@hit '^core_' -1
add_space dance facing '^core_' -1
add_space walk turn,speed '^heel_strike_left$' 0.9
add_space run turn '^heel_strike_left$' 0.9
"$reprise" pgraph build acts.reprise --nodes box,dance --name boxer -q
"$reprise" pgraph build acts.reprise --nodes walk,run --edges auto --limit 1 --name strider -q
"$reprise" bundle acts.reprise --model boxer -o ../boxer.rpb -q
"$reprise" bundle acts.reprise --model strider --layer lean -o ../strider.rpb -q
cd ..
"$reprise" show boxer.rpb strider.rpb -o nodes.html -q
"$reprise" show gaits.rpb walks.rpb -o drive.html -q
"$reprise" show gaits.rpb walk-0.bvh -o both.html -q
CHROMIUM="$chromium" REPRISE="$reprise" node "$REPRISE_SOURCE/test/web/drive.test.mjs" "$folder"
