# Shared by the tests of the program: a scratch folder, and checks that say what they found.
# Each script is run by bash with REPRISE naming the program; exit 77 means skipped.
set -euo pipefail
export LC_ALL=C.UTF-8
unset NO_COLOR
# Leaks of other libraries that the sanitizer overlooks on purpose are no news on standard error.
export LSAN_OPTIONS=print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}
: "${REPRISE:?set REPRISE to the program}"
command -v jq > /dev/null || { echo "skipped: jq is not installed"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail()
{
	echo "FAILED: $*" >&2
	echo "--- standard output" >&2; head -c 2000 "$scratch/.out" >&2 || true
	echo "--- standard error" >&2; head -c 2000 "$scratch/.err" >&2 || true
	exit 1
}

# run CODE ARGUMENTS...: run the program, expect that exit code; its output is in .out and .err.
run()
{
	local expected=$1 code=0
	shift
	"$REPRISE" "$@" > "$scratch/.out" 2> "$scratch/.err" < /dev/null || code=$?
	[ "$code" -eq "$expected" ] || fail "reprise $* exited with $code, not $expected"
}

# The output or the errors of the last run hold a text.
says() { grep -qF -- "$1" "$scratch/.out" || fail "standard output lacks: $1"; }
tells() { grep -qF -- "$1" "$scratch/.err" || fail "standard error lacks: $1"; }
silent() { [ ! -s "$scratch/.err" ] || fail "standard error should be empty"; }
mute() { [ ! -s "$scratch/.out" ] || fail "standard output should be empty"; }

# json FILTER VALUE: a jq filter over the output of the last run gives exactly this.
json()
{
	local value
	if [[ $2 =~ ^(-?[0-9.]+|true|false)$ ]]; then
		jq -e "($1) == $2" "$scratch/.out" > /dev/null || fail "$1 is $(jq -c "$1" "$scratch/.out"), not $2"
		return
	fi
	value=$(jq -er "$1" "$scratch/.out") || fail "jq $1 found nothing"
	[ "$value" = "$2" ] || fail "jq $1 gives $value, not $2"
}

# Whether a jq condition over the output of the last run holds.
holds() { jq -e "$1" "$scratch/.out" > /dev/null || fail "does not hold: $1"; }

exists() { [ -s "$1" ] || fail "$1 is missing or empty"; }
absent() { [ ! -e "$1" ] || fail "$1 should not exist"; }

# Nothing but these files is in the current folder: no temporary file is left.
only()
{
	local found
	found=$(find . -type f -not -name .out -not -name .err -printf '%P\n' | sort | tr '\n' ' ')
	[ "$found" = "$([ $# -eq 0 ] || printf '%s\n' "$@" | sort | tr '\n' ' ')" ] || fail "files: $found, expected: $*"
}

# A folder of captured data, or false with a message.
has_capture()
{
	[ -n "${REPRISE_MOCAP:-}" ] && [ -d "$REPRISE_MOCAP/cmu" ] && return
	echo "the part on captured data is skipped: REPRISE_MOCAP holds none"
	return 1
}
