# Long motions: written as they are made, in little memory; limits that are told before the work.
source "$(dirname "$0")/lib/common.bash"

for i in 1 2 3; do
	run 0 perform walk --seconds 10 --speed 1.$i --seed $i -o w$i.bvh --no-sidecar
done
run 0 library add some.reprise w*.bvh -q
run 0 graph build some.reprise -q
run 0 locomotion build some.reprise -q
run 0 bundle some.reprise --model graph -o some.rpb
printf '0,0\n5,90\n' > steer.csv
printf '0,walk,1.2,0\n' > gait.csv
printf '0,0\n0,6\n' > line.csv

# peak ARGUMENTS...: the most memory that the program takes, in kilobytes; looked at while it runs.
peak() {
	local most=0 now pid
	"$REPRISE" "$@" > .out 2> .err &
	pid=$!
	while now=$(awk '/^VmHWM/{print $2}' /proc/$pid/status 2> /dev/null) && [ -n "$now" ]; do
		most=$now
		sleep 0.01
	done
	wait $pid || fail "exited with $?: $*"
	echo "$most"
}

# bounded SECONDS ARGUMENTS...: a motion that is fifteen minutes longer takes hardly more memory; whole, one of 18 joints
# would take 16 MB for its frames alone and 35 MB for their text.
bounded() {
	local short long
	short=$(peak "$@" --seconds 60 -o short.bvh)
	long=$(peak "$@" --seconds 960 -o long.bvh)
	echo "$*: $short KB, fifteen minutes longer $long KB"
	[ $((long - short)) -lt 12000 ] || fail "fifteen minutes take $((long - short)) KB: $*"
	[ "$(grep -c . long.bvh)" -gt 57000 ] || fail "long.bvh is too short: $*"
}
bounded graph walk some.reprise --fps 60
bounded play some.rpb --script steer.csv --fps 60
bounded locomotion play some.reprise --script gait.csv --fps 60
rm -f short.* long.*

# What was written while its end was not known is whole: its sidecar fits it, and it says how many frames there are.
run 0 locomotion play some.reprise --path line.csv -o line.bvh --json
holds '.arrived and .path_error_max_m < 1 and .path_error_mean_m > 0'
frames=$(jq .output.frames .out)
[ "$(sed -n 's/^Frames: //p' line.bvh)" -eq "$frames" ] || fail "line.bvh says another number of frames"
[ "$(sed '1,/^Frame Time/d' line.bvh | grep -c .)" -eq "$frames" ] || fail "line.bvh has another number of rows"
run 0 info line.bvh --json; silent
holds ".clips[0] | .frames == $frames and ([.labels[].name] | index(\"walk\"))"
run 0 locomotion play some.reprise --path line.csv -o line.glb; exists line.glb.json
run 0 evaluate line.bvh --path line.csv --json

# Rates and lengths beyond reason are refused by all, with what to do.
for command in "graph walk some.reprise" "play some.rpb --script steer.csv" "blend w1.bvh w2.bvh" "perform walk" \
	"locomotion play some.reprise --script gait.csv" "convert w1.bvh" "graph go some.reprise --goal 1,2,0" \
	"graph path some.reprise --path line.csv"; do
	for fps in 1001 1e9 0 -5; do
		# shellcheck disable=SC2086
		run 2 $command --fps $fps -o no.bvh; tells "--fps needs a number from 1 to 1000"; tells "captures have"
	done
done
for command in "graph walk some.reprise" "play some.rpb --script steer.csv" \
	"locomotion play some.reprise --script gait.csv"; do
	# shellcheck disable=SC2086
	run 2 $command --seconds 36001 -o no.bvh; tells "--seconds needs a number from 0.1 to 36000"; tells "several motions"
done
printf '0,0\n36000,90\n' > endless.csv
run 0 play some.rpb --script endless.csv --seconds 2 -o two.bvh; says "2.00 s"

# What a GLB cannot hold is refused at once.
begin=$(date +%s)
run 5 graph walk some.reprise --seconds 36000 --fps 1000 -o no.glb; tells "less than 4 GiB"; tells ".bvh"
[ $(($(date +%s) - begin)) -lt 60 ] || fail "refusing took as long as writing"
absent no.glb; absent no.bvh; absent no.glb.json

# Stopped in the middle of ten hours at 1,000 frames per second: nothing is left, soon.
mkdir stopped
for command in "graph walk some.reprise" "play some.rpb --script steer.csv" \
	"locomotion play some.reprise --script gait.csv"; do
	for ending in bvh glb csv; do
		fps=1000; [ $ending = glb ] && fps=60
		code=0
		# shellcheck disable=SC2086
		env --default-signal=INT "$REPRISE" $command --seconds 36000 --fps $fps -o stopped/s.$ending > .out 2> .err &
		pid=$!
		sleep 0.6
		kill -INT $pid 2> /dev/null || fail "over before it was interrupted: $command"
		begin=$(date +%s%N)
		{ wait $pid || code=$?; } 2> /dev/null
		[ $code -eq 130 ] || fail "exited with $code: $command"
		[ $(($(date +%s%N) - begin)) -lt 5000000000 ] || fail "took too long to stop: $command"
		[ -z "$(ls -A stopped)" ] || fail "left behind: $(ls -A stopped)"
	done
done
