#!/usr/bin/env bash
# What runs in a browser is well typed: esbuild only takes types away. Skipped (77) where node or npm are absent.
set -u
bash "$REPRISE_SOURCE/test/web/install.sh" || exit $?
cd "$REPRISE_SOURCE" || exit 1
test/web/node_modules/.bin/tsc -p web/tsconfig.json || exit 1
# It must be able to fail.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 'const x: number = "one"; export { x };' >"$folder/wrong.ts"
if test/web/node_modules/.bin/tsc --noEmit "$folder/wrong.ts" >/dev/null; then
	echo "the type checker accepts what is wrong"
	exit 1
fi
