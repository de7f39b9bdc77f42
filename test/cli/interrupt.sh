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

# interrupts ARGUMENTS...: the command is stopped in the middle of its work, within 2 s, and leaves no file behind. One
# that is over too soon, on a fast machine, is stopped earlier.
tested=" library add "
interrupts() {
	local code begin pid delay
	case $1 in library | graph | locomotion | metric | space | pgraph) tested="$tested$1 $2 " ;; *) tested="$tested$1 " ;; esac
	for delay in 0.4 0.2 0.1 0.05 0.02; do
		mkdir -p stopped; rm -rf stopped/* stopped/.[!.]*
		code=0
		env --default-signal=INT "$REPRISE" "$@" > .out 2> .err &
		pid=$!
		sleep $delay
		kill -INT $pid 2> /dev/null || true
		begin=$(date +%s%N)
		{ wait $pid || code=$?; } 2> /dev/null
		[ $code -eq 0 ] || break
	done
	[ $code -eq 130 ] || fail "exited with $code: $*"
	# The promise is 2 s; a busy machine gets three more.
	[ $(($(date +%s%N) - begin)) -lt 5000000000 ] || fail "took too long to stop: $*"
	# What was whole when the key was pressed may stay.
	[ -z "$(ls -A stopped)" ] || [ -s .out ] || fail "left behind: $(ls -A stopped)"
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
for command in info evaluate 'locomotion analyse'; do
	# shellcheck disable=SC2086
	interrupts $command long.bvh
done
interrupts clean long.bvh -o stopped/c.bvh
interrupts convert long.bvh -o stopped/c.glb
interrupts compare long.bvh long.bvh --csv stopped/c.csv
interrupts align long.bvh w1.bvh -o stopped/a.bvh
interrupts transition long.bvh w1.bvh -o stopped/t.bvh
interrupts blend long.bvh w1.bvh -o stopped/b.bvh
interrupts picture long.bvh -o stopped/p.png
interrupts show long.bvh -o stopped/s.html
interrupts perform repertoire -o stopped/r.reprise
interrupts perform walk --seconds 3600 --fps 240 -o stopped/p.bvh
# Of many files the first are there, whole.
interrupts demo -o demo
interrupts library export moves.reprise --all -o takes-again
[ -z "$(find demo takes-again -name '*.tmp' -o -name '*.part')" ] || fail "something unfinished is left"
interrupts graph go some.reprise --goal 100,100,0 -o stopped/g.bvh
run 0 metric examples moves.reprise -o examples.csv -q
interrupts metric check moves.reprise
interrupts metric fit examples.csv moves.reprise --name fitted
# A graph that takes its time: the same steps at many rates.
for i in 1 2 3 4; do
	for fps in 50 55 58; do
		sed "s/^Frame Time:.*/Frame Time: $(awk "BEGIN{print 1/$fps}")/" w$i.bvh > x$i-$fps.bvh
	done
done
run 0 library add many.reprise w*.bvh x*.bvh -q
run 0 graph build many.reprise -q
interrupts graph steer many.reprise
interrupts graph reach many.reprise
interrupts graph picture many.reprise -o stopped/g.png
interrupts bundle many.reprise -o stopped/g.rpb
# Examples are looked for, registered, blended: nothing of it is kept, but for what was compared.
interrupts space find 'moves.reprise#walk1@2..3.1' --threshold 0.3 --mirror -o stopped/m.json --picture stopped/m.png
interrupts space find 'moves.reprise#walk1@2..3.1' --web --mirror
run 0 space find 'some.reprise#w1@2..3.1' --threshold 0.08 -o strides.json -q
run 0 space build some.reprise --from strides.json -p turn,speed,head.y@highest --no-thin --name whole -q
interrupts space build some.reprise --from strides.json -p turn,speed,head.y@highest --no-thin --name whole
# Three edges of a space by itself under other names, each of many motions.
run 0 pgraph build some.reprise --nodes whole --samples 20,50 --limit 9 --name before -q
interrupts pgraph build some.reprise --nodes a=whole,b=whole,c=whole --samples 2000,3000 --limit 9 --name gone
interrupts pgraph walk some.reprise --name before --seconds 36000 -o stopped/w.bvh
interrupts pgraph play some.reprise --name before --script steer.csv --seconds 36000 -o stopped/p.bvh
run 0 pgraph list some.reprise --json; json '[.pgraphs[] | .name, .problem] | tostring' '["before",null]'
# What was whole before the key was pressed, by an attempt that was over too soon as well, is what is there.
run 0 space list some.reprise --json; json '[.spaces[] | .name, .problem] | tostring' '["whole",null]'
for library in some moves many; do
	run 0 library check $library.reprise
done

# A command is tested here, or over before a key can be pressed: it reads or changes rows of a library, or prints a text.
quick=" library list library show library label library remove library rename library check metric examples metric info \
graph list graph info graph export graph remove locomotion info space info space picture space make space list \
space remove pgraph info pgraph picture pgraph export pgraph list pgraph remove pgraph goto pgraph reach help version "
sed -n 's/^## reprise //p' "$REPRISE_SOURCE/docs/commands.md" | while read -r name; do
	case $name in library | graph | locomotion | metric | space | pgraph) continue ;; esac
	case "$tested$quick" in *" $name "*) ;; *) fail "no test interrupts $name" ;; esac
done
