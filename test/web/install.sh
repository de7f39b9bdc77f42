#!/usr/bin/env bash
# Bring in the npm packages of the browser tests, once: `npm ci` runs only when node_modules is missing or older than
# the lock file. Tests that need them start with `bash "$REPRISE_SOURCE/test/web/install.sh"`. Exits with 77, saying why,
# where they cannot be had.
set -u
cd "$(dirname "$0")" || exit 1
for program in node npm flock; do
	command -v "$program" >/dev/null || { echo "skipped: no $program on this machine"; exit 77; }
done
# Two tests may start at once.
exec 9>.install.lock
flock 9
stamp=node_modules/.reprise-installed
if [ -e "$stamp" ] && [ ! package-lock.json -nt "$stamp" ]; then
	exit 0
fi
if ! npm ci --no-audit --no-fund >.install.log 2>&1; then
	echo "skipped: npm ci could not fetch the packages of test/web:"
	tail -n 5 .install.log
	exit 77
fi
touch "$stamp"
