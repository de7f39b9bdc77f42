# What is typed wrongly: exit code 2, and a message that helps. How options may be written.
source "$(dirname "$0")/lib/common.bash"

run 2; mute; tells "Name a command"
run 2 convrt; tells 'no command "convrt"'; tells "did you mean reprise convert?"
run 2 add; tells "did you mean reprise library add?"
run 2 library; tells "library needs a command"
run 2 library lst x; tells "did you mean reprise library list?"
run 2 xyzzy; tells "reprise help lists the commands"
run 2 info; tells "usage: reprise info CLIP|FILE.rpb..."
run 2 version now; tells "one argument too many"
run 2 info a --jsno; tells "did you mean --json?"
run 2 info a -x; tells "no option -x"
run 2 info a --up w; tells "x|y|z"
run 2 info a --joints=yes; tells "takes no value"
run 2 perform walk -o; tells "needs a value"
run 2 perform walk -o --json; json .error.code argument; holds '.error.hint | test("--output=--json")'
run 2 perform walk; tells "needs -o"
run 2 perform walk -o walk; tells ".bvh .glb .csv"
run 2 perform walk -o walk.xyz; tells ".bvh .glb .csv"
run 2 perform walk --fps 3,5 -o w.bvh; tells "decimal point"
run 2 perform walk --fps nan -o w.bvh; tells "needs a number"
run 2 perform walk --fps 0x10 -o w.bvh; tells "needs a number"
run 2 perform walk --seconds 1e9 -o w.bvh; tells "from"
run 2 perform wlak -o w.bvh; tells "did you mean walk?"
run 2 perform jump --speed 1 -o w.bvh; tells "takes no --speed"
run 1 perform walk -o nowhere/w.bvh; tells "mkdir -p nowhere/"
mkdir folder.bvh; run 2 perform walk -o folder.bvh; tells "is a folder"; rmdir folder.bvh
only

# Ways to write options.
run 0 perform walk --seconds 1 -o a.bvh; exists a.bvh
run 0 perform --seconds=1 walk --output=b.bvh; cmp a.bvh b.bvh
run 0 perform walk --seconds 2 --seconds 1 -oc.bvh; cmp a.bvh c.bvh
run 0 perform --seconds 1 -o d.bvh -- walk; cmp a.bvh d.bvh
run 0 perform walk --seconds 1 --turn -20 -o e.bvh; ! cmp -s a.bvh e.bvh
run 0 perform walk --seconds 1 --turn=-20 -o f.bvh; cmp e.bvh f.bvh
run 0 --quiet perform walk --seconds 1 -o g.bvh; mute; silent
run 0 --json perform walk --seconds 1 -o h.bvh; json .schema reprise-perform-1
cp a.bvh ./-dash.bvh
run 0 info --json -- -dash.bvh; json .clips[0].file -dash.bvh

# Failures as JSON have all their keys, and nothing goes to standard error.
for bad in "convrt" "info nosuch.bvh" "info a.bvh --up w" "perform"; do
	code=0
	"$REPRISE" $bad --json > .out 2> .err || code=$?
	holds '.error | has("code") and has("exit") and has("file") and has("line") and has("column") and has("message") and has("hint")'
	json .error.exit "$code"
	silent
done

# A terminal's worth of colour only on a terminal; here is none.
run 2 convrt
! grep -q $'\x1b' .err || fail "colour without a terminal"

# Full and broken outputs.
if [ -w /dev/full ]; then
	for words in "help" "info a.bvh --json" "info a.bvh" "perform --list"; do
		code=0
		"$REPRISE" $words > /dev/full 2> .err || code=$?
		[ $code -eq 1 ] || fail "$words > /dev/full exited with $code"
		tells "cannot write to standard output"
	done
fi
code=0
{ "$REPRISE" help --markdown 2> .err || echo $? > .code; } | true
silent
