#!/usr/bin/env bash
# The WebAssembly module in Node: the same motion as natively, the same refusals, no garbage. How fast it is, reprise-bench web says.
# Skipped (77) where node is absent or the module was not built.
set -eu
command -v node >/dev/null || { echo "skipped: no node on this machine"; exit 77; }
"$REPRISE_SOURCE/tools/build_web" || { echo "skipped: the module cannot be built on this machine"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -d "$REPRISE_BUILD/seeds/bundle" ] || "$REPRISE_BUILD/make_seeds" "$REPRISE_BUILD/seeds"
export REPRISE_WEB=$REPRISE_SOURCE/build-web REPRISE_TWINS=$folder REPRISE_TWIN_PROGRAM=$REPRISE_BUILD/test_web_twin
"$REPRISE_TWIN_PROGRAM" --write "$folder" "$REPRISE_SOURCE/test/keep/bundle" "$REPRISE_BUILD/seeds/bundle"
# Captured motion, where there is some; 16 has nearly straight legs, which make the most of a rounding.
for person in 016 035 127; do
	[ -d "${REPRISE_MOCAP:-}/cmu/$person" ] && [ -x "${REPRISE:-}" ] || continue
	library=$folder/$person.reprise
	"$REPRISE" library add "$library" "$REPRISE_MOCAP/cmu/$person" -q
	"$REPRISE" graph build "$library" -q
	"$REPRISE" locomotion build "$library" -q
	for model in graph locomotion; do
		"$REPRISE" bundle "$library" --model $model -o "$folder/$person-$model.rpb" -q
		"$REPRISE_TWIN_PROGRAM" --play "$folder" $person-$model "$folder/$person-$model.rpb"
	done
	# A space of all his strides, from one of them, and a parametric graph of it.
	if [ $person = 016 ]; then
		"$REPRISE" space find "$library#16_15@0.8..1.9" --mirror -o "$folder/strides.json" -q >"$folder/strides.txt"
		"$REPRISE" space build "$library" --from "$folder/strides.json" -p turn,speed --name space -q
		"$REPRISE" bundle "$library" --model space -o "$folder/016-space.rpb" -q
		"$REPRISE_TWIN_PROGRAM" --play "$folder" 016-space "$folder/016-space.rpb"
		"$REPRISE" pgraph build "$library" --nodes space --edges auto --limit 1 --name strider -q
		"$REPRISE" bundle "$library" --model strider -o "$folder/016-strider.rpb" -q
		"$REPRISE_TWIN_PROGRAM" --play "$folder" 016-strider "$folder/016-strider.rpb"
	fi
	rm "$library"
done
# One after the other: what is timed should be alone.
cd "$REPRISE_SOURCE/test/web/play"
failed=0
for test in *.test.mjs; do
	node --expose-gc "$test" || failed=1
done
[ $failed = 0 ]

# The samples in a browser, where there is one.
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium: the samples were not run"; exit 0; }
bash "$REPRISE_SOURCE/test/web/install.sh" || exit 0
mkdir "$folder/samples"
cp "$REPRISE_SOURCE"/samples/web/*.html "$REPRISE_WEB"/reprise-play.js "$REPRISE_WEB"/reprise-play.wasm "$folder/samples/"
cp "$folder/locomotion.rpb" "$folder/samples/walker.rpb"
ln -s "$REPRISE_SOURCE/test/web/node_modules" "$folder/samples/node_modules"
CHROMIUM="$chromium" node samples.mjs "$folder/samples" ${REPRISE_PICTURES:+"$REPRISE_PICTURES"}
