# pgraph: graphs built of spaces, told about, drawn, exported, walked, listed and removed; shapes of the reports; what is
# refused. Scripts are in pgraph_play.sh.
source "$(dirname "$0")/lib/common.bash"

# Strides by how far they turn, from one strike of the left heel to the next.
strides()
{
	local gait=$1 turn
	shift
	for turn in "$@"; do
		run 0 perform "$gait" --turn "$turn" --seconds 4 --fps 60 -o "$gait$turn.bvh"
		run 0 library add moves.reprise "$gait$turn.bvh"
		stretches+=("$(jq -r --arg name "$gait$turn" '[.events[] | select(.name == "heel_strike_left" and .time_s > 0.9) | .time_s] |
			"\($name)@\(.[0])..\(.[1])"' "$gait$turn.json")")
	done
}
stretches=(); strides walk -60 -30 0 30 60; walks=("${stretches[@]}")
stretches=(); strides run -40 0 40; runs=("${stretches[@]}")

# Nothing to build of yet.
run 3 pgraph build moves.reprise; tells "the library has no space to make a node of"; tells "reprise space build"
run 3 pgraph build moves.reprise --nodes walk; tells "the library has no space to make a node of"
run 3 pgraph info moves.reprise; tells "build one of spaces: reprise pgraph build moves.reprise"
run 0 pgraph list moves.reprise; tells "reprise pgraph build makes one"
run 0 space build moves.reprise "${walks[@]}" -p turn --name walk
run 0 space build moves.reprise "${runs[@]}" -p turn --name run

# All spaces, edges that are good: a walk and a run are not alike.
run 0 pgraph build moves.reprise
says "pgraph: 2 nodes, 2 edges"; says "left out"; says "walk-walk"
run 0 pgraph build moves.reprise --json; silent
json .schema reprise-pgraph-build-1; json .name pgraph; json '.nodes | map(.name) | tostring' '["run","walk"]'
json '.edges | length' 4; holds '[.edges[] | select(.made) | [.from, .to]] == [["run", "run"], ["walk", "walk"]]'
holds '.edges | map(select(.made)) | all(.found and .good_m > 0.01 and .good_m < 0.12 and .bad_m > .good_m and .share_min >= 0.3 and
	.share_mean >= .share_min and .samples == 24 and .empty == 0 and .nearest_mean_m < .nearest_max_m)'
holds '.edges | map(select(.made | not)) | all(.good_m > 0.12 and .share_mean == null and (.farthest | keys) == ["turn_deg"])'
holds '.samples == 48 and .build_seconds > 0'

# By hand: thresholds, seams, other names, how many are compared.
edges=walk-walk,run-run:0.06:velocity,walk-run:0.25:0.3:linear,run-walk:displace
run 0 pgraph build moves.reprise --nodes walk,run --edges $edges --samples 12,300 --share 0.2 --margin 0.15 --seam 0.25 --seed 3 --name gaits --json
holds '[.edges[] | [.from, .to, .made, .found]] == [["walk", "walk", true, true], ["run", "run", true, false],
	["walk", "run", true, false], ["run", "walk", true, true]]'
holds '.edges[2] | (.good_m - 0.25 | fabs) < 1e-4 and (.bad_m - 0.3 | fabs) < 1e-4 and .samples == 12'
holds '.edges[1] | (.good_m - 0.06 | fabs) < 1e-4 and .bad_m > .good_m'
holds '[.warnings[] | select(startswith("not_good: "))] | length >= 1'
cp .out built
OMP_NUM_THREADS=1 run 0 pgraph build moves.reprise --nodes walk,run --edges $edges --samples 12,300 --share 0.2 --margin 0.15 --seam 0.25 --seed 3 --name one --json
plain() { jq -S 'del(.build_seconds, .name, .provenance, .edges[].seconds)' "$1"; }
[ "$(plain built)" = "$(plain .out)" ] || fail "one thread builds another graph"
for name in gaits one; do run 0 pgraph export moves.reprise --name $name -o $name.txt; done
cmp gaits.txt one.txt || fail "one thread builds another graph"
grep -q '^edge walk run good 0.2500 bad 0.3000 seam linear 0.25$' gaits.txt || fail "the edge is not in the text"
run 0 pgraph export moves.reprise --name gaits -o gaits.txt --json; json .output gaits.txt
run 0 pgraph build moves.reprise --nodes 'walk-1=walk,walk-1-2=run' --edges walk-1-walk-1-2:0.3,walk-1-2-walk-1:0.3:linear --name dashes --json
holds '[.edges[] | [.from, .to]] == [["walk-1", "walk-1-2"], ["walk-1-2", "walk-1"]]'
run 0 pgraph build moves.reprise --edges auto --limit 1 --name 'all/1 ü' --json; holds '[.edges[].made] | all'

# What it has; what is odd about it.
run 0 pgraph info moves.reprise --name gaits; tells "not_good: walk-run"
says "gaits: 2 nodes, 4 edges, 48 samples"; says "by a direction or a place to go to"; says "linear 0.25 s"; says "leaves at"
run 0 pgraph info moves.reprise --name gaits --json
json .schema reprise-pgraph-info-1; json .samples 48; holds '.margin_s - 0.15 | fabs < 1e-5'
holds '.nodes[0] | .name == "walk" and .examples == 5 and .clips == 5 and (.parameters[0] | .name == "turn" and .key == "turn_deg" and
	.unit == "deg" and .meaning == "turn" and .range[0] < -50 and .range[1] > 50)'
holds '.edges | map(.seam) == ["smooth", "velocity", "linear", "displace"] and all((.seam_s - 0.25 | fabs) < 1e-5 and .samples == 12 and .empty == 0)'
holds '.edges | all(.share_mean >= .share_min and .share_min > 0 and .leaves_at[0] <= .leaves_at[1] and .leaves_at[1] <= .leaves_at[2] and
	.leaves_at[0] > 0.6 and .enters_at[2] < 0.4)'
run 0 pgraph build moves.reprise --nodes walk,run --edges walk-run:0.3 --name dead
tells "dead_end: run leads nowhere"; tells "unreached: nothing leads to walk"
run 0 pgraph info moves.reprise --name dead --json
holds '[.warnings[] | split(":")[0]] | contains(["dead_end", "unreached", "not_good"])'

# Seen.
run 0 pgraph picture moves.reprise -o graph.png; says graph.png; silent
[ "$(head -c 4 graph.png | tail -c 3)" = PNG ] || fail "no picture"
run 0 pgraph picture moves.reprise --name gaits --edge walk-run --trade -o edge.svg --json; silent
json .schema reprise-pgraph-picture-1; json .name gaits; json .output edge.svg
holds '.trade | length > 10 and (map(.good_m) | . == sort) and (last | .share_mean > 0.9 and .distance_m > 0.1)'
grep -q '<svg' edge.svg || fail "no picture"
run 0 pgraph picture moves.reprise --name gaits --edge walk-run -o edge.png --json; json '.trade | length' 0
run 2 pgraph picture moves.reprise --edge walk-rnu -o x.png; tells 'there is no node "rnu"'; tells 'did you mean "run"?'
run 3 pgraph picture moves.reprise --name dead --edge run-walk -o x.png; tells "the graph has no edge run-walk"
run 2 pgraph picture moves.reprise --trade -o x.png; tells "are about one edge"
run 2 pgraph picture moves.reprise --edge walk-walk --axes turn -o x.png; tells "the source has one parameter"
run 2 pgraph picture moves.reprise -o x.bmp; tells ".png .svg"
absent x.png; absent x.bmp

# At random: the same again for a seed, another for another.
run 0 pgraph walk moves.reprise --name 'all/1 ü' --seconds 20 --seed 1 -o walk.bvh --json; silent
json .schema reprise-pgraph-walk-1; json .output.frames 1201; holds '.transitions == (.motions | length) - 1'
holds '.motions | length > 15 and all(.node == "walk" or .node == "run") and ([.[].node] | unique | length) == 2'
holds '.motions[0] | .distance_m == null and .repairs == 0 and .response_s == null and .requested_node == null'
holds '.motions[1:] | all(.distance_m > 0 and (.forced or .distance_m <= .bad_m) and .core_s[0] < .core_s[1] and
	.granted.turn_deg >= .box.turn_deg[0] - 1 and .granted.turn_deg <= .box.turn_deg[1] + 1)'
holds '.motions as $all | [range(1; $all | length)] | all($all[.].start_s == $all[. - 1].end_s)'
holds '.sums | .motions > 15 and .forced == 0 and .distance_max_m < 0.4 and .answers == 0 and .response_mean_s == null'
holds '(.sums.motions == (.motions | length)) and (.sums.distance_max_m == ([.motions[1:][].distance_m] | max))'
run 0 pgraph walk moves.reprise --name 'all/1 ü' --seconds 20 --seed 1 -o again.bvh; says " of walk"; says "from one to the next"
cmp walk.bvh again.bvh || fail "the same seed walks elsewhere"
run 0 pgraph walk moves.reprise --name 'all/1 ü' --seconds 20 --seed 2 -o other.bvh
! cmp -s walk.bvh other.bvh || fail "another seed walks the same"
run 0 pgraph walk moves.reprise --start 3,4,90 --seconds 2 --fps 30 -o walk.glb --json; json .output.fps 30
# Its labels are the nodes, its sources stretches of the takes.
jq -e '([.labels[].name] | unique) == ["run", "walk"] and (.provenance.inputs | length > 1 and all(.hash | length == 32)) and (.sources | all(.clip | test("^(walk|run)"))) and
	([.events[] | select(.name == "seam")] | length) > 10' walk.json > .out || fail "the sidecar does not tell what it is made of"
run 0 evaluate walk.bvh --limits default || fail "the walk is not good"
# A graph without a way on ends, and stands.
run 0 pgraph walk moves.reprise --name dead --seconds 6 -o dead.bvh

# Kept with the others of the library, checked and bundled as they are.
run 0 library check moves.reprise; says "is sound"
run 0 library show moves.reprise --json; holds '[.models[] | select(.kind == "pgraph") | .name] | length == 6'
run 0 bundle moves.reprise --model gaits -o gaits.rpb --json; json .kind pgraph; json .nodes 2; json .edges 4; json .examples 8
run 0 info gaits.rpb; says "a parametric motion graph, packed"; says "walk"; says "turn"
run 0 info gaits.rpb --json; holds '.bundles[0] | .kind == "pgraph" and .requests == ["any", "walk", "run"] and (.clips | length) == 8 and
	(.nodes | map(.name)) == ["walk", "run"] and (.nodes[0].parameters[0] | .key == "turn_deg" and .range[1] > 50) and .parameters == []'

# Listed and removed: all that are named or none.
run 0 pgraph list moves.reprise; silent; says "walk, run"; says "all/1 ü"
run 0 pgraph list moves.reprise --json; json .schema reprise-pgraph-list-1
holds '.pgraphs | map(.name) == ["all/1 ü", "dashes", "dead", "gaits", "one", "pgraph"]'
holds '.pgraphs | all(.bytes > 0 and .problem == null and .examples == 8 and (.nodes | length) == 2)'
run 3 pgraph remove moves.reprise --name one --name nosuch; tells 'no parametric graph "nosuch"'; tells "there are: all/1 ü"
run 0 pgraph remove moves.reprise --name one --name dashes; says "removed the parametric graph one"
run 0 pgraph remove moves.reprise --json; json '.removed | length' 1; holds '.library_bytes > 0'
run 3 pgraph remove moves.reprise; tells 'no parametric graph "pgraph"'
run 0 pgraph list moves.reprise --json; json '.pgraphs | length' 3
run 0 space list moves.reprise --json; json '.spaces | length' 2

# ---- what is refused

build() { local code=$1; shift; run "$code" pgraph build moves.reprise "$@" --name refused; }
build 3 --nodes wlak,run; tells 'no space "wlak"'; tells 'did you mean "walk"?'
build 3 --nodes sit; tells 'no space "sit"'; tells "there are: run, walk"
build 2 --nodes walk,walk; tells 'two nodes have the name "walk"'
build 2 --nodes walk,; tells "names no space"
build 2 --nodes =walk; tells "names no space"
build 2 --nodes stroll=; tells "names no space"
build 2 --nodes "$(printf 'n%064d' 1)=walk"; tells "is no name of a node"
build 2 --nodes walk,run --edges walk; tells "two nodes with a dash between them, for example walk-run"
build 2 --nodes walk,run --edges walk-rnu; tells 'there is no node "rnu" for "walk-rnu"'; tells 'did you mean "run"?'
build 2 --nodes walk,run --edges sit-run; tells 'there is no node "sit"'; tells "the nodes are walk, run"
build 2 --nodes walk,run --edges walk-run,; tells "two nodes with a dash"
build 2 --nodes walk,run --edges walk-run,walk-run; tells "names the edge from walk to run twice"
build 2 --nodes walk,run --edges walk-run:fast; tells '"fast" of "walk-run:fast" is neither a threshold nor a seam'
build 2 --nodes walk,run --edges walk-run:nan; tells '"nan" of'
build 2 --nodes walk,run --edges walk-run:0; tells "above 0 to 10 m"
build 2 --nodes walk,run --edges walk-run:0.2:0.1; tells "is nearer than what is good"
build 2 --nodes walk,run --edges walk-run:0.2:0.3:0.4; tells 'there is a third number, "0.4"'
build 2 --nodes a=walk,b-c=run,a-b=walk,c=run --edges a-b-c; tells "may be read in 2 ways"
build 2 --edges walk-run --limit 1; tells "--limit is about edges that are found"
build 2 --coverage 0.3; tells "--coverage is about edges that are partial"
build 2 --samples x; tells "--samples needs how many"; build 2 --samples 3,; tells "--samples needs"; build 2 --samples 1.5,100
build 2 --share 1.1; build 2 --margin nan; build 2 --seam 0; build 2 --seed -1
# An edge that cannot be is named, with the motion at fault and how far it is.
build 4 --nodes walk,run --edges walk-run:0.01
tells "no edge from walk to run: 24 of 24 motions of walk lead nowhere; the farthest (turn"; tells "--partial"
build 4 --limit 0; tells "no motion of any node leads to"
# Partial: some of it leads nowhere, and it says so.
between=$(jq '.edges[] | select(.from == "walk" and .to == "run") | (.nearest_mean_m + .nearest_max_m) / 2' built)
run 0 pgraph build moves.reprise --nodes walk,run --edges "walk-walk,run-run,walk-run:$between,run-walk:0.25" --partial --name partial --json
holds '.edges[2] | .made and .empty > 0 and .share_min == 0 and .share_mean > 0.1'
run 0 pgraph info moves.reprise --name partial; tells "partial: of walk-run"
run 0 pgraph picture moves.reprise --name partial --edge walk-run -o partial.png
run 0 pgraph walk moves.reprise --name partial --seconds 30 -o partial.bvh --json; holds '.sums | .forced == 0 and .motions > 20'
run 0 pgraph remove moves.reprise --name partial
# Names of other kinds of model are theirs.
run 2 pgraph build moves.reprise --name walk; tells "another kind of model (space)"
run 2 space build moves.reprise "${walks[@]}" -p turn --name gaits; tells "another kind of model (pgraph)"
# Two bodies.
run 0 perform walk --stature 1.5 --turn 0 --seconds 4 --fps 60 -o small1.bvh; run 0 perform walk --stature 1.5 --turn 40 --seconds 4 --fps 60 -o small2.bvh
run 0 library add moves.reprise small1.bvh small2.bvh; run 0 space build moves.reprise small1@1..2 small2@1..2 -p turn --name small
build 2 --nodes walk,small; tells '"walk" and "small" are of two skeletons'; tells "convert --onto"
run 0 pgraph list moves.reprise --json; json '.pgraphs | length' 3

# Clips that are gone or changed: named, and what builds it anew.
run 0 library rename moves.reprise walk0 straight; run 0 pgraph info moves.reprise --name gaits
run 0 library remove moves.reprise straight
for command in "pgraph info moves.reprise --name gaits" "pgraph walk moves.reprise --name gaits -o x.bvh" "bundle moves.reprise --model gaits -o x.rpb"; do
	# shellcheck disable=SC2086
	run 3 $command; tells 'is no longer in the library'
done
absent x.bvh; absent x.rpb
run 0 pgraph list moves.reprise; tells "gaits cannot be used: the clip"
run 0 pgraph list moves.reprise --json; holds '.pgraphs | all(.nodes == null and (.problem | contains("no longer")))'
run 3 library check moves.reprise; says '"gaits" is no longer in the library'
