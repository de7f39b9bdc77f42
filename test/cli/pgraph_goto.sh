# pgraph goto: planned and greedily, with headings and without, what cannot be reached; what is planned is played.
source "$(dirname "$0")/lib/common.bash"

stretches=()
for turn in -60 -30 0 30 60; do
	run 0 perform walk --turn $turn --seconds 4 --fps 60 -o "walk$turn.bvh"
	run 0 library add moves.reprise "walk$turn.bvh"
	stretches+=("$(jq -r --arg name "walk$turn" '[.events[] | select(.name == "heel_strike_left" and .time_s > 0.9) | .time_s] |
		"\($name)@\(.[0])..\(.[1])"' "walk$turn.json")")
done
run 0 space build moves.reprise "${stretches[@]}" -p turn --name walk
run 0 space build moves.reprise "${stretches[@]:0:2}" -p turn --name right
run 0 pgraph build moves.reprise --nodes walk
run 0 pgraph build moves.reprise --nodes right --limit 1 --name one-sided

# To a place; to a place and heading. What is in the file is what was planned, but for what feet that are held take along.
run 0 pgraph goto moves.reprise --to 3,-2 -o place.bvh --json; silent
json .schema reprise-pgraph-goto-1; json .reached true; json .greedy false; json .as_planned true; json .locked true
holds '.planned.goal_error_deg == null and .planned.goal_error_m <= 0.3 and .cost >= .planned.seconds'
holds '.transitions == (.motions | length) - 1 and .motions[0].core_s == 0 and .motions[0].distance_m == null'
holds '.motions | all(.node == "walk" and (.granted | keys) == ["turn_deg"] and (.forced | not))'
holds '.circles_m | .[0] > 0.8 and .[0] < 2 and (.[0] - .[1] | fabs) < 0.2'
run 0 pgraph goto moves.reprise --to 3,-2,90 --picture way.png -o out.bvh --json; json .picture way.png; cp .out planned
holds '.planned | .goal_error_m <= 0.3 and .goal_error_deg <= 15'
holds '(.x_m - .planned.x_m | fabs) < 0.1 and (.z_m - .planned.z_m | fabs) < 0.1 and (.heading_deg - .planned.heading_deg | fabs) < 5'
holds '(.output.frames - 60 * .planned.seconds | fabs) < 2 and (.seconds - .planned.seconds | fabs) < 0.02'
[ "$(head -c 4 way.png | tail -c 3)" = PNG ] || fail "no picture"
jq -e '[.labels[].name] == ["walk"]' out.json > .out || fail "labels are not the nodes"
run 0 pgraph goto moves.reprise --to 3,-2,90 -o again.bvh; says "degrees from the goal after"; says "motions"
cmp out.bvh again.bvh || fail "another way"
run 0 pgraph goto moves.reprise --start 5,5,90 --to 3,2,180 -o start.bvh --fps 30 --no-lock --json
json .output.fps 30; json .locked false
run 0 pgraph goto moves.reprise --to 0,4 --radius 0.05 --tolerance 5 --from walk --node walk -o near.glb --json
holds '.planned.goal_error_m <= 0.05'

# Greedily it comes to places, and goes round and round where it is to face somewhere.
run 0 pgraph goto moves.reprise --to 2,6 --greedy -o greedy.bvh --json; json .greedy true; json .as_planned true
run 4 pgraph goto moves.reprise --to 3,-2,90 --greedy -o round.bvh
tells "no way that is chosen greedily leads within 0.3 m and 15 degrees of 3,-2,90 in 60 s"; tells "m to the left and"
tells "without --greedy it is planned"; [ ! -e round.bvh ] || fail "it was written"
run 0 pgraph goto moves.reprise --to 3,-2,90 --greedy --best-effort -o round.bvh --json; json .reached false
holds '.seconds > 2 * '"$(jq .seconds planned)"' or .planned.goal_error_m > 0.3 or .planned.goal_error_deg > 15'
holds '.warnings | length == 1'

# Too far; what is the nearest.
run 4 pgraph goto moves.reprise --to 0,30 --max-seconds 5 -o far.bvh
tells "no way leads within 0.3 m of 0,30 in 5 s: the nearest that can be reached is"; tells "--best-effort writes the way to there"
run 0 pgraph goto moves.reprise --to 0,30 --max-seconds 5 --best-effort -o far.bvh --json
holds '.planned | .z_m > 5 and .z_m < 9 and .seconds <= 5'

# Who only turns to the right gets to the left by that.
run 0 pgraph goto moves.reprise --name one-sided --to 3,1 -o right.bvh --json
holds '.circles_m[0] == null'; json .as_planned true; holds '.motions | length > 4 and all(.granted.turn_deg < 0)'
run 4 pgraph goto moves.reprise --name one-sided --to 3,1 --max-seconds 3 -o right.bvh; tells "it turns to the right alone"

# What makes no sense.
run 2 pgraph goto moves.reprise -o out.bvh; tells "pgraph goto needs --to X,Z or --to X,Z,DEGREES"
run 2 pgraph goto moves.reprise --to 3 -o out.bvh; tells "--to needs X,Z or X,Z,DEGREES"
run 2 pgraph goto moves.reprise --to 3,4,5,6 -o out.bvh; tells "--to needs"
run 2 pgraph goto moves.reprise --to 3,nan -o out.bvh
run 2 pgraph goto moves.reprise --to 3,4 --from run -o out.bvh; tells 'the graph has no node "run"'; tells "walk"
run 2 pgraph goto moves.reprise --to 3,4 --radius 0 -o out.bvh; tells "radius"
run 2 pgraph goto moves.reprise --to 3,4 -o out.txt
run 3 pgraph goto moves.reprise --to 3,4 --name none -o out.bvh; tells "there are:"
