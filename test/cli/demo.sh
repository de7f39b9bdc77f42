# The demonstration makes what it says, twice the same.
source "$(dirname "$0")/lib/common.bash"

run 0 demo
silent
says demo-out/index.html; says "drive a character"; says "Characters to drive: moves-locomotion.rpb, moves-graph.rpb, moves-strides.rpb, moves-punches.rpb, moves-boxer.rpb, moves-strider.rpb"
! grep -qF "$PWD" .out || fail "an absolute path is printed"
for name in walk walk-left run walk-to-run turn sneak march take punch kick pick-up sit-down jump wave along-a-path bent under-a-stick winding punches cleaned; do
	for ending in bvh glb png json; do exists demo-out/$name.$ending; done
	run 0 info demo-out/$name.bvh --json
	holds '.clips[0] | .findings == [] and .contacts > 0 and .frames > 30'
	[ "$(head -c 4 demo-out/$name.glb)" = glTF ] || fail "$name.glb"
	grep -qF "$name.png" demo-out/index.html || fail "the page lacks $name.png"
done
grep -qi '<!doctype html>' demo-out/index.html
for name in along-a-path bent; do
	exists demo-out/$name-path.png
	grep -q '"wanted_path"' demo-out/$name.json && grep -qF "$name-path.png" demo-out/index.html || fail "the path of $name"
done
# Characters to drive, in the page and beside it; one file of less than 6 MB.
grep -q 'Drive a character' demo-out/index.html || fail "the page does not say how to drive"
sed -n '/id="data">/,/<\/script>/p' demo-out/index.html | sed 's/.*id="data">//; s/<\/script>.*//' >data.json
jq -e '(.clips | length) == 21 and (.models | map(.name)) == ["moves-locomotion", "moves-graph", "moves-strides", "moves-punches", "moves-boxer", "moves-strider"] and (.runtime | length) > 10000' \
	data.json >/dev/null || fail "the page lacks its models"
[ "$(stat -c %s demo-out/index.html)" -lt 6000000 ] || fail "the page takes $(stat -c %s demo-out/index.html) bytes"
printf 'time,x,y,gait\n0,0,1,walk\n3,1,0,run\n' >drive.csv
run 0 play demo-out/moves-locomotion.rpb --script drive.csv -o drive.bvh --json; holds '.stretches[1].way_m > 5'
printf 'time,x,y\n0,0,1\n8,1,0\n' >drive.csv
run 0 play demo-out/moves-graph.rpb --script drive.csv -o drive.bvh --json; holds '.stretches[0].way_m > 2'
# Spaces: strides by turn and speed, punches by targets.
printf 'time,turn_deg,speed_m_per_s\n0,30,1.2\n4,-30,1.5\n' >drive.csv
run 0 play demo-out/moves-strides.rpb --script drive.csv -o drive.bvh --json
holds '.motions | length > 5 and (.[1].nearest.turn_deg - 30 | fabs) < 3 and (.[-1].nearest.speed_m_per_s - 1.5 | fabs) < 0.1'
printf 'time,right_wrist_x_hit_m,right_wrist_y_hit_m,right_wrist_z_hit_m\n0,0,1.3,0.65\n' >drive.csv
run 0 play demo-out/moves-punches.rpb --script drive.csv -o drive.bvh --json
holds '.motions[0].nearest.right_wrist_y_hit_m - 1.3 | fabs < 0.02'
# Parametric graphs: punches at a place, ducks; walks and runs.
printf 'time,node,target_x,target_y,target_z,right_wrist_y_hit_m\n0,punch,0.2,1.4,0.8,\n5,duck,,,,\n9,punch,,,,1.3\n' >drive.csv
run 0 play demo-out/moves-boxer.rpb --script drive.csv --seconds 14 -o drive.bvh --json
holds '.motions | ([.[].node] | unique) == ["duck", "punch"] and (.[0].achieved.right_wrist_y_hit_m - 1.4 | fabs) < 0.02 and (map(.forced) | any | not)'
printf 'time,x,y,node\n0,0,1,walk\n4,1,0,run\n' >drive.csv
run 0 play demo-out/moves-strider.rpb --script drive.csv --seconds 10 -o drive.bvh --json
holds '[.motions[].node] | .[0] == "walk" and .[-1] == "run"'
run 0 library check demo-out/moves.reprise
# A library of the user's own is left alone, wherever the demonstration is made.
mkdir own; cp demo-out/moves.reprise own/moves.reprise; run 2 demo -o own; tells "moves.reprise is there already"
cmp -s demo-out/moves.reprise own/moves.reprise || fail "a library was replaced"; absent own/walk.bvh

# The judge sees the slides, and that they are gone; the page says so.
run 0 evaluate demo-out/sliding.bvh --json; holds '.slide_mm_mean > 30 and .skate_ratio > 0.1'
run 0 evaluate demo-out/cleaned.bvh --json; holds '.slide_mm_mean < 10 and .skate_ratio < 0.1'
[ "$(grep -c 'Feet slide by' demo-out/index.html)" -gt 10 ] || fail "the page does not mention feet"
run 0 library list demo-out/moves.reprise --json; json '.clips | length' 21
run 0 demo -o second --json
json .schema reprise-demo-1
json '.files | length' 73
rm demo-out/moves.reprise second/moves.reprise
diff -r demo-out second || fail "two runs differ"
run 0 demo --quiet; mute; silent
run 0 library list demo-out/moves.reprise --json; json '.clips | length' 21
run 1 demo -o nowhere/deep/out; tells "cannot make this folder"

# A graph of it: where it says that there is no path there is none, and where one is it does not; a walk comes to the jump
# itself.
cp demo-out/moves.reprise moves.reprise
run 0 graph build moves.reprise --json
holds '[.warnings[] | select(test("^from \"sit-down\"") and test("no (path|way)"))] == []'
run 0 graph walk moves.reprise --from sit-down --to walk -o up.bvh
run 0 graph walk moves.reprise --from walk --to jump -o jump.bvh --json
holds '.reaches_s < 2'
jq -e '[.contacts[] | select(.effector | test("ball|heel|toe"))] as $c | .seconds as $s |
	[range(0; $s * 10) | . / 10 | . as $t | [$c[] | select(.start_s <= $t and .end_s > $t)] | length == 0] | any' \
	jump.json > /dev/null || fail "nobody jumps"
