# Parametric spaces bundled and played: motions one after another by a script of parameters.
source "$(dirname "$0")/lib/common.bash"

for turn in -60 -30 0 30 60; do run 0 perform walk --turn $turn --seconds 4 --fps 60 -o "walk$turn.bvh"; done
run 0 library add moves.reprise walk*.bvh
# From one strike of the left heel to the next: two steps.
strides=()
for turn in -60 -30 0 30 60; do
	strides+=("$(jq -r --arg name "walk$turn" '[.events[] | select(.name == "heel_strike_left" and .time_s > 0.8) | .time_s] |
		"\($name)@\(.[0])..\(.[1])"' "walk$turn.json")")
done
run 0 space build moves.reprise "${strides[@]}" --parameters turn --name stride
for hand in 1.15,0.62,-0.1 1.15,0.84,0.1 1.55,0.62,0.1 1.55,0.84,-0.1 1.35,0.72,0; do
	IFS=, read -r height reach side <<<"$hand"
	run 0 perform punch --height "$height" --reach "$reach" --side "$side" --fps 30 -o "punch$hand.bvh"
	run 0 library add moves.reprise "punch$hand.bvh" --name "punch${hand//,/_}"
done
run 0 space build moves.reprise punch1.15_0.62_-0.1 punch1.15_0.84_0.1 punch1.55_0.62_0.1 punch1.55_0.84_-0.1 punch1.35_0.72_0 \
	-p right_wrist@hit --name punch

# Bundles: packed as others are.
run 0 bundle moves.reprise --model stride -o stride.rpb --json
json .kind space; json .examples 5; holds '.bytes * 3 < .bytes_exact and .max_error_mm <= 0.1'
run 0 bundle moves.reprise --model stride -o exact.rpb --exact; says "5 examples"; says "exact"
run 0 bundle moves.reprise --model punch -o punch.rpb --layer lean; says "5 examples"
run 3 bundle moves.reprise -o no.rpb; tells "stride"

# What a bundle plays.
run 0 info stride.rpb walk0.bvh; silent
says "a parametric space, packed"; says "turn   -"; says "241 frames"
run 0 info punch.rpb stride.rpb walk0.bvh --json
json '.clips | length' 1; json '.bundles | length' 2
holds '.bundles[0] | .kind == "space" and .packed and .leans and (.clips | length) == 5 and (.parameters | map(.key)) ==
	["right_wrist_x_hit_m", "right_wrist_y_hit_m", "right_wrist_z_hit_m"]'
holds '.bundles[1].parameters == [.bundles[1].parameters[0]] and (.bundles[1].parameters[0] | .unit == "deg" and .range[0] < -30 and .range[1] > 30)'
run 3 info nosuch.rpb; tells "nosuch.rpb"

# Each motion by what holds when it is planned, the first by the first line; what is not given is the middle.
printf 'time,turn_deg\n0,30\n5,-30\n10,\n' >steer.csv
run 0 play stride.rpb --script steer.csv -o out.bvh --seconds 15 --json; silent
json .schema reprise-play-1; json .output.frames 901; json .locked true
holds '(.motions | length) > 8 and .transitions == (.motions | length) - 1'
holds '.motions[0] | .start_s == 0 and (.requested.turn_deg - 30 | fabs) < 1e-3 and (.nearest.turn_deg - 30 | fabs) < 1'
holds '[.motions[] | select(.start_s > 6.2 and .end_s < 9.7) | .nearest.turn_deg] | length > 1 and max < -29'
holds '[.motions[] | select(.start_s > 11.5) | .requested.turn_deg | fabs] | max < 3'
holds '.motions as $all | [range(1; $all | length)] | all($all[.].start_s == $all[. - 1].end_s)'
jq -e '[.curves[] | select(.name == "nearest_turn_deg" or .name == "requested_turn_deg")] | length == 2 and all(.values | max > 29)' \
	out.json >/dev/null || fail "the sidecar does not tell what was asked for"
# Sources are stretches of the takes: a walk's stride begins after its first second.
jq -e '.sources | length > 8 and all((.clip | startswith("walk")) and .clip_start_s > 0.79)' out.json >/dev/null || fail "sources are not those of the takes"
grep -q '"seam"' out.json || fail "no seam in the sidecar"
run 0 play stride.rpb --script steer.csv -o again.bvh --seconds 15; says "motions, "
cmp out.bvh again.bvh || fail "played again it is another motion"
run 0 play exact.rpb --script steer.csv -o exact.bvh --seconds 15
for clip in out exact; do jq -c '[.events, .contacts | length]' $clip.json >$clip.notes; done
cmp out.notes exact.notes || fail "packed frames lead to other motions"
# By name, or without a line of names.
printf 'turn,time\n30,0\n-30,5\n,10\n' >named.csv
printf '0,30\n5,-30\n10,\n' >plain.csv
for script in named plain; do
	run 0 play stride.rpb --script $script.csv -o $script.bvh --seconds 15
	cmp out.bvh $script.bvh || fail "$script.csv leads elsewhere"
done
# More than the space has is said.
printf 'time,turn_deg\n0,200\n' >far.csv
run 0 play stride.rpb --script far.csv -o far.bvh --seconds 4
tells "the space does not reach what"; tells "turn 200.0 deg"

# Three parameters, and a layer.
printf 'time,right_wrist_z_hit_m,right_wrist.x@hit,right_wrist_y_hit_m,lean\n0,0.6,0,1.3,\n2,0.7,-0.05,1.5,0\n' >targets.csv
run 0 play punch.rpb --script targets.csv -o punches.bvh --seconds 10 --json
holds '.motions | length > 2 and all(.nearest | keys == ["right_wrist_x_hit_m", "right_wrist_y_hit_m", "right_wrist_z_hit_m"])'
holds '.motions[1].requested.right_wrist_y_hit_m - 1.5 | fabs < 1e-3'

# What is asked for otherwise.
while read -r names column text; do
	printf '%s\n0,1,1\n' "$names" >bad.csv
	run 3 play punch.rpb --script bad.csv -o no.bvh
	tells "bad.csv:1:$column: $text"; tells "or write a time and all of these: right_wrist_x_hit_m ("
done <<-'END'
	time,direction,lean 6 "direction" is not asked of a space
	time,lean,turn 11 "turn" is not asked of a space
	time,right_wrist 6 the first line names columns that are not known, or one of them twice: "right_wrist"
	time,right_wrist.x@hit,right_wrist_x_hit_m 6 the first line names columns
	lean,right_wrist_x_hit_m 1 the columns are time and what is asked for then
END
printf 'time,turn_deg\n0,30\n1,left\n' >bad.csv
run 3 play stride.rpb --script bad.csv -o no.bvh; tells 'bad.csv:3:3: "left" is no number'
printf 'time,turn_deg\n0,4000\n' >bad.csv
run 3 play stride.rpb --script bad.csv -o no.bvh; tells "bad.csv:2:3: a turn_deg of 4000 degrees; -3600 to 3600 are allowed"
printf 'time,turn_deg\nturn_deg,time\n0,30\n' >bad.csv
run 3 play stride.rpb --script bad.csv -o no.bvh; tells "bad.csv:2:1: the columns have names already"
printf '0,1,2\n' >bad.csv
run 3 play stride.rpb --script bad.csv -o no.bvh; tells "bad.csv:1:5: there are 3 cells; 2 at most are allowed"
printf '0\n' >bad.csv
run 3 play stride.rpb --script bad.csv -o no.bvh; tells "bad.csv:1:1: a time and at least one number"
absent no.bvh

# On a page; a damaged one is refused.
run 0 show stride.rpb punch.rpb -o drive.html; says "2 models to drive"
head -c 5000 stride.rpb >cut.rpb
run 3 play cut.rpb --script steer.csv -o no.bvh; tells "damaged"
run 3 show cut.rpb -o no.html; absent no.html
