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
