# Parametric graphs played by scripts: nodes, their parameters, directions, places; from a library and as a bundle.
source "$(dirname "$0")/lib/common.bash"

stretches=()
for gait in walk run; do
	for turn in -40 0 40; do
		run 0 perform $gait --turn $turn --seconds 4 --fps 60 -o "$gait$turn.bvh"
		run 0 library add moves.reprise "$gait$turn.bvh"
		stretches+=("$(jq -r --arg name "$gait$turn" '[.events[] | select(.name == "heel_strike_left" and .time_s > 0.9) | .time_s] |
			"\($name)@\(.[0])..\(.[1])"' "$gait$turn.json")")
	done
done
run 0 space build moves.reprise "${stretches[@]:0:3}" -p turn --name walk
run 0 space build moves.reprise "${stretches[@]:3:3}" -p turn,speed --name run
for height in 1.2 1.5; do
	for side in -0.1 0.1; do
		run 0 perform punch --height $height --reach 0.75 --side $side --fps 60 -o "punch$height$side.bvh"
		run 0 library add moves.reprise "punch$height$side.bvh" --name "punch$height$side"
		punches+=("punch$height$side@0.6..2.8")
	done
done
run 0 space build moves.reprise "${punches[@]}" -p right_wrist@hit --name punch
run 0 pgraph build moves.reprise --limit 1 --samples 12,200
run 0 bundle moves.reprise --model pgraph -o moves.rpb --json; json .kind pgraph; json .examples 10; holds '.bytes * 3 < .bytes_exact'
run 0 bundle moves.reprise --model pgraph -o exact.rpb --exact

# Nodes and values: those of the node in the line. The library's graph and its bundle play the same.
cat > steer.csv <<'END'
time,node,turn_deg,speed_m_per_s,direction
0,walk,20,,
5,run,-10,,
9,walk,,,180
20,,,,90
END
run 0 pgraph play moves.reprise --script steer.csv -o out.bvh --json; silent
json .schema reprise-pgraph-play-1; json .output.frames 1501; json .locked true; cp .out played
holds '.transitions == (.motions | length) - 1 and (.motions | length) > 18'
holds '.motions[0] | .node == "walk" and .requested_node == "walk" and .start_s == 0 and .distance_m == null and
	(.requested.turn_deg - 20 | fabs) < 1e-3 and (.granted.turn_deg - 20 | fabs) < 1'
holds '[.motions[] | select(.start_s > 2 and .end_s < 5)] | length > 0 and all(.node == "walk" and (.granted.turn_deg - 20 | fabs) < 3)'
holds '[.motions[] | select(.start_s > 6.5 and .end_s < 9)] | length > 1 and all(.node == "run" and .requested_node == "run" and
	(.granted | keys) == ["speed_m_per_s", "turn_deg"] and (.granted.turn_deg + 10 | fabs) < 5)'
holds '[.motions[] | select(.start_s > 11)] | all(.node == "walk")'
holds '[.motions[] | select(.start_s > 21.5)] | all(.requested_node == null)'
holds '.motions[1:] | all((.forced or .distance_m <= .bad_m) and .box.turn_deg[0] <= .box.turn_deg[1])'
holds '.motions | all((.achieved | keys) == (.granted | keys) and .granted.turn_deg >= .box.turn_deg[0] - 1e-3 and .granted.turn_deg <= .box.turn_deg[1] + 1e-3)'
holds '.sums | .lacked >= 0 and .answers >= 3 and .response_mean_s > 0 and .response_max_s >= .response_mean_s and .response_max_s < 3 and .missed >= 1'
# A direction that it has hardly asks for a turn any more.
holds '[.motions[] | select(.start_s > 15 and .end_s < 20)] | length > 1 and all(.requested.turn_deg | fabs < 25)'
jq -e '([.labels[].name] | unique) == ["run", "walk"]' out.json > .out || fail "labels are not the nodes"
run 0 play exact.rpb --script steer.csv -o exact.bvh --json; json .schema reprise-play-1
[ "$(jq -S '.motions, .sums' played)" = "$(jq -S '.motions, .sums' .out)" ] || fail "the bundle plays otherwise"
cmp out.bvh exact.bvh || fail "the bundle plays another motion"
run 0 play moves.rpb --script steer.csv -o packed.bvh --seed 3; says " motions: "; says "answer a change of what is asked for"
says "got the nearest to what they were asked for that can follow there"
run 0 play moves.rpb --script steer.csv -o packed.bvh --json; holds '[.motions[].node] == '"$(jq -c '[.motions[].node]' played)"
# By name as by key, in any order of columns; with fewer.
sed '1s/.*/time,node,turn,speed,direction/' steer.csv > names.csv
run 0 pgraph play moves.reprise --script names.csv -o names.bvh; cmp out.bvh names.bvh || fail "names lead elsewhere"
awk -F, 'NR == 1 {print "direction,turn_deg,node,time"; next} {print $5 "," $3 "," $2 "," $1}' steer.csv > order.csv
run 0 pgraph play moves.reprise --script order.csv -o order.bvh; cmp out.bvh order.bvh || fail "another order leads elsewhere"
# A stick alone: the node goes on.
printf '0,90\n6,-90\n' > stick.csv
run 0 pgraph play moves.reprise --script stick.csv --seconds 12 -o stick.bvh --json; holds '.motions[0].node as $first | .motions | length > 5 and all(.node == $first)'
printf 'time,x,y\n0,-1,0\n6,1,0\n' > stick.csv
run 0 pgraph play moves.reprise --script stick.csv --seconds 12 -o xy.bvh; cmp stick.bvh xy.bvh || fail "the same stick leads elsewhere"

# A place to go to, and one to hit: seen from where the character is.
printf 'time,node,target_x,target_z\n0,walk,6,6\n' > go.csv
run 0 pgraph play moves.reprise --script go.csv --seconds 7 -o go.csv.bvh --json
holds '[.motions[] | select(.start_s > 3)][0].requested.turn_deg | fabs < 25'
printf 'time,node,target_x,target_y,target_z\n0,punch,0.2,1.35,0.62\n4,punch,0.2,1.45,0.62\n8,walk,,,\n' > hit.csv
run 0 pgraph play moves.reprise --script hit.csv --seconds 10 -o hit.bvh --json
holds '.motions[0] | .node == "punch" and (.requested | (.right_wrist_x_hit_m - 0.2 | fabs) < 1e-3 and (.right_wrist_y_hit_m - 1.35 | fabs) < 1e-3)'
holds '[.motions[] | select(.node == "punch")] | last | .requested.right_wrist_y_hit_m - 1.45 | fabs < 1e-3'
holds '.motions | last | .node == "walk"'

# What is wrong is said with file, line and column.
refused() { printf '%b' "$1" > bad.csv; run 3 pgraph play moves.reprise --script bad.csv -o no.bvh; tells "$2"; tells "name the columns in a first line: time, node,"; }
refused 'time,node\n0,wlak\n' 'bad.csv:2:3: there is no node "wlak"; did you mean "walk"?'
refused 'time,node\n0,walk\n1,sit\n' 'bad.csv:3:3: there is no node "sit"; there are any, '
refused 'time,node,turn\n0,walk,far\n' 'bad.csv:2:8: "far" is no number'
refused 'time,node,turn\n0,walk,nan\n' 'bad.csv:2:8: "nan" is no number'
refused 'time,node,turn\n0,walk,4000\n' 'bad.csv:2:8: a turn of 4000 degrees; -3600 to 3600 are allowed'
refused 'time,turn\n0,20\n' 'bad.csv:2:3: turn is asked of a node; name it in the same line'
refused 'time,node,speed\n0,walk,1.2\n' 'bad.csv:2:8: walk has no parameter speed'
refused 'time,node,gait\n0,walk,run\n' 'bad.csv:1:11: the first line names columns that are not known'
refused 'time,node,target_x\n0,walk,1\n' 'bad.csv:1:1: a target has target_x and target_z'
refused 'time,node,target_x,target_z\n0,walk,1,\n' 'bad.csv:2:1: a target has target_x and target_z, or neither'
refused 'time,target_x,target_z\n0,1,1e9\n' 'bad.csv:2:5: a target_z of 1e9 m'
refused 'time,node\n0,walk,3\n' 'bad.csv:2:8: there are 3 cells for the 2 columns'
refused 'time,node\n1,walk\n1,run\n' 'bad.csv:3:1: the times do not increase'
refused 'time,x\n0,1\n' 'bad.csv:1:1: the columns are time and direction'
refused '0,1,2,3\n' 'bad.csv:1:7: there are more than three numbers'
refused 'time,node,turn,turn_deg\n0,walk,1,1\n' 'bad.csv:1:'
run 2 pgraph play moves.reprise -o no.bvh; tells "pgraph play needs --script FILE"
run 3 pgraph play moves.reprise --script nosuch.csv -o no.bvh; tells "nosuch.csv"
run 3 pgraph play moves.reprise --name nosuch --script steer.csv -o no.bvh; tells "there are: pgraph"
run 2 pgraph play moves.reprise --script steer.csv -o no.txt; tells ".bvh .glb .csv"
head -c 5000 moves.rpb > cut.rpb
run 3 play cut.rpb --script steer.csv -o no.bvh; tells "damaged"
absent no.bvh
# Other models know neither nodes nor places.
run 0 bundle moves.reprise --model run -o run.rpb
printf 'time,node\n0,walk\n' > bad.csv; run 3 play run.rpb --script bad.csv -o no.bvh; tells '"node" is not asked of a space'

# One node need not be named.
run 0 pgraph build moves.reprise --nodes walk --name one
printf 'time,turn\n0,20\n4,-20\n' > one.csv
run 0 pgraph play moves.reprise --name one --script one.csv -o one.bvh --json
holds '.motions | all(.node == "walk" and .requested_node == "walk") and .[0].granted.turn_deg > 15 and last.granted.turn_deg < -15'
# A layer beside it.
run 0 bundle moves.reprise --model one -o lean.rpb --layer lean
printf 'time,turn,node,lean\n0,20,walk,0\n3,,,1\n' > lean.csv; run 0 play lean.rpb --script lean.csv -o lean.bvh
