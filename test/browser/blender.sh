#!/usr/bin/env bash
# Blender opens a GLB file of several clips without a remark: bones, actions and frames are those of the clips. Skipped
# (77) where Blender is absent; it is too large for tools/setup.
set -u
blender=$(command -v blender) || { echo "skipped: no Blender on this machine"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
reprise="$REPRISE_BUILD/reprise"
"$reprise" perform walk --turn 30 -o walk.bvh -q && "$reprise" perform jump -o jump.bvh -q && "$reprise" perform run -o run.bvh -q ||
	exit 1
"$reprise" convert walk.bvh jump.bvh run.bvh -o moves.glb --each -q || exit 1
for clip in walk jump run; do "$reprise" convert $clip.bvh -o $clip.csv -q || exit 1; done
"$blender" -b --factory-startup --python-exit-code 1 --python "$REPRISE_SOURCE/test/browser/blender.py" -- moves.glb \
	walk.csv jump.csv run.csv >said 2>&1
status=$?
cat said
[ $status -eq 0 ] && [ "$(grep -c '^CHECKED' said)" -eq 3 ] || { echo "Blender shows something else"; exit 1; }
# What it says of every file; anything else is a remark.
if grep -vE '^(Blender [0-9].*|Data are loaded, start creating Blender stuff|glTF import finished in .*|CHECKED .*|Blender quit|)$' said; then
	echo "Blender has remarks"
	exit 1
fi
