# Interrupted work stops with 130 and leaves nothing half made.
source "$(dirname "$0")/lib/common.bash"

mkdir takes
for i in $(seq 10); do
	run 0 perform walk --seconds 30 --fps 120 --speed 1.$((10 + i)) -o takes/walk$i.bvh --no-sidecar
	# The same frames at other rates are other clips.
	for fps in 60 90 100 110 115; do
		sed "s/^Frame Time:.*/Frame Time: $(awk "BEGIN{print 1/$fps}")/" takes/walk$i.bvh > takes/walk$i-$fps.bvh
	done
done

# In the middle of an import: what was reported is in the library, which is sound.
code=0
# A shell without job control has its background jobs ignore SIGINT.
env --default-signal=INT "$REPRISE" library add moves.reprise takes > .out 2> .err &
pid=$!
for i in $(seq 200); do
	[ "$(grep -c '^added' .out)" -lt 2 ] || break
	sleep 0.05
done
kill -INT $pid 2> /dev/null || true
wait $pid || code=$?
[ $code -eq 130 ] || fail "an interrupted import exited with $code"
tells interrupted
cp .out told
count=$(grep -c '^added' told)
[ "$count" -ge 2 ] && [ "$count" -lt 60 ] || fail "interrupted after $count clips"
run 0 library check moves.reprise
run 0 library list moves.reprise --json
holds ".clips | length >= $count"
sed -n 's/^added .*\/\(.*\)\.bvh as clip .*/\1/p' told | while read -r name; do
	holds "[.clips[].name] | index(\"$name\") != null"
done
run 0 library add moves.reprise takes --json
json .failed 0
run 0 library list moves.reprise --json; json '.clips | length' 60

# A conversion that waits for its input: nothing is written.
mkdir quiet; cd quiet
mkfifo pipe.bvh
code=0
env --default-signal=INT "$REPRISE" convert pipe.bvh -o out.bvh > ../.out 2> ../.err &
pid=$!
sleep 0.5
kill -INT $pid 2> /dev/null || true
{ wait $pid || code=$?; } 2> /dev/null
[ $code -eq 130 ] || fail "a waiting conversion exited with $code"
only
cd ..

# interrupts ARGUMENTS...: the command is stopped in the middle of its work, within 2 s, and leaves no file behind.
interrupts() {
	mkdir -p stopped; rm -rf stopped/* stopped/.[!.]*
	local code=0 begin
	env --default-signal=INT "$REPRISE" "$@" > .out 2> .err &
	local pid=$!
	sleep 0.4
	kill -INT $pid 2> /dev/null || fail "over before it was interrupted: $*"
	begin=$(date +%s%N)
	{ wait $pid || code=$?; } 2> /dev/null
	[ $code -eq 130 ] || fail "exited with $code: $*"
	# The promise is 2 s; a busy machine gets three more.
	[ $(($(date +%s%N) - begin)) -lt 5000000000 ] || fail "took too long to stop: $*"
	[ -z "$(ls -A stopped)" ] || fail "left behind: $(ls -A stopped)"
}
for i in 1 2 3 4; do
	run 0 perform walk --seconds 20 --speed 1.$i --seed $i -o w$i.bvh --no-sidecar
done
run 0 library add some.reprise w*.bvh -q
run 0 graph build some.reprise -q
run 0 locomotion build some.reprise -q
run 0 bundle some.reprise -o some.rpb
awk '/^MOTION/{m=1} {if(m&&++n>3)r[k++]=$0; else if(/^Frames:/)print "Frames: 300000"; else print} END{for(i=0;i<300000;++i)print r[i%k]}' w1.bvh > long.bvh
printf "0,0\n0,200\n200,200\n200,0\n0,0\n" > square.csv
interrupts graph walk some.reprise --seconds 7200 -o stopped/w.bvh
printf "0,0\n5,90\n" > steer.csv
printf "0,walk,1.2,0\n" > gait.csv
interrupts play some.rpb --script steer.csv --seconds 36000 -o stopped/p.bvh
interrupts locomotion play some.reprise --script gait.csv --seconds 36000 -o stopped/l.bvh
interrupts locomotion build moves.reprise --mirror
interrupts graph build moves.reprise
interrupts graph path some.reprise --path square.csv -o stopped/g.bvh
for command in info evaluate clean; do
	case $command in clean) output="-o stopped/c.bvh" ;; *) output= ;; esac
	# shellcheck disable=SC2086
	interrupts $command long.bvh $output
done
interrupts convert long.bvh -o stopped/c.glb
interrupts compare long.bvh long.bvh --csv stopped/c.csv
interrupts align long.bvh w1.bvh -o stopped/a.bvh
interrupts perform walk --seconds 3600 --fps 240 -o stopped/p.bvh
run 0 library check some.reprise
run 0 library check moves.reprise
