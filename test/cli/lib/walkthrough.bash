# The walk-throughs of a page of docs/: what stands after a command is what it prints. A line "..." stands for any lines;
# times that something took are not compared.
: "${REPRISE_SOURCE:?}"
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

# check PAGE: what the last command printed is what stands there.
check()
{
	[ -n "$typed" ] || return 0
	bash -c "reprise() { \"$REPRISE\" \"\$@\"; }; $typed" > .printed 2>&1 < /dev/null || true
	steady < .printed > .steady
	steady < .expected > .wanted
	if ! matches .wanted .steady; then
		diff .wanted .steady >&2 || true
		fail "$1: this is not what is printed: $typed"
	fi
	checked=$((checked + 1))
}

# follow PAGE KIND: the blocks of docs/PAGE opened by ```console KIND, in a folder of their own.
follow()
{
	local line inside=false page=docs/$1
	typed='' checked=0
	mkdir "$2"
	cd "$2" || exit 1
	[ "$2" = performed ] || ln -s "$REPRISE_MOCAP/cmu" cmu
	: > .expected
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
			'```console '"$2") inside=true; continue ;;
			'```') $inside && { check "$page"; typed=''; inside=false; }; continue ;;
		esac
		$inside || continue
		if [[ $line == '$ '* ]]; then
			check "$page"
			typed=${line#\$ }
			: > .expected
		else
			echo "$line" >> .expected
		fi
	done < "$REPRISE_SOURCE/$page"
	[ "$checked" -ge 3 ] || fail "$page has no walk-through \"$2\""
	cd ..
}
