# The walk-throughs of docs/spaces.md: what stands after a command is what it prints. A line "..." stands for any lines;
# times that something took are not compared.
source "$(dirname "$0")/lib/common.bash"
: "${REPRISE_SOURCE:?}"
page=$REPRISE_SOURCE/docs/spaces.md
: > .out; : > .err

# Seconds at the end of a line differ from run to run.
steady() { sed 's/; [0-9.]* s$/; T s/'; }

# matches EXPECTED ACTUAL: files, line by line.
matches()
{
	local line found skips=false
	exec 3< "$1" 4< "$2"
	while IFS= read -r line <&3; do
		if [ "$line" = "..." ]; then
			skips=true
			continue
		fi
		while true; do
			IFS= read -r found <&4 || return 1
			[ "$found" != "$line" ] || break
			$skips || return 1
		done
		skips=false
	done
	$skips || ! IFS= read -r found <&4
}

# check: what the last command printed is what stands there.
check()
{
	[ -n "$typed" ] || return 0
	bash -c "reprise() { \"$REPRISE\" \"\$@\"; }; $typed" > .printed 2>&1 < /dev/null || true
	steady < .printed > .steady
	steady < .expected > .wanted
	if ! matches .wanted .steady; then
		diff .wanted .steady >&2 || true
		fail "docs/spaces.md: this is not what is printed: $typed"
	fi
	checked=$((checked + 1))
}

# follow KIND: the blocks opened by ```console KIND, in a folder of their own.
follow()
{
	local line inside=false
	typed='' checked=0
	mkdir "$1"
	cd "$1" || exit 1
	[ "$1" = performed ] || ln -s "$REPRISE_MOCAP/cmu" cmu
	: > .expected
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
			'```console '"$1") inside=true; continue ;;
			'```') $inside && { check; typed=''; inside=false; }; continue ;;
		esac
		$inside || continue
		if [[ $line == '$ '* ]]; then
			check
			typed=${line#\$ }
			: > .expected
		else
			echo "$line" >> .expected
		fi
	done < "$page"
	[ "$checked" -ge 3 ] || fail "docs/spaces.md has no walk-through \"$1\""
	cd ..
}
follow performed
! has_capture || follow captured
