#!/usr/bin/env bash
# The Khronos validator (npm gltf-validator) finds no error and no warning in GLB files of every kind: a person, several
# animations, no body, a body that is none, bones that stretch, a single joint.
set -u
bash "$REPRISE_SOURCE/test/web/install.sh" || exit $?
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$REPRISE_BUILD/test_glb" "$folder" || exit 1
[ "$(find "$folder" -name '*.glb' | wc -l)" -eq 9 ] || { echo "not all files were written"; exit 1; }
node "$REPRISE_SOURCE/test/web/validate_glb.mjs" "$folder"/*.glb || exit 1
# It must be able to fail: a file with a wrong accessor is refused.
LC_ALL=C sed 's/"type":"VEC3"/"type":"VEC2"/' "$folder/walk.glb" >"$folder/broken.glb"
if node "$REPRISE_SOURCE/test/web/validate_glb.mjs" "$folder/broken.glb" >/dev/null; then
	echo "the validator accepted a broken file"
	exit 1
fi
