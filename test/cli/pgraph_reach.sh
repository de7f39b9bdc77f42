# pgraph reach: where a graph leads, drawn by headings and by time.
source "$(dirname "$0")/lib/common.bash"

stretches=()
for turn in -60 -30 0 30 60; do
	run 0 perform walk --turn $turn --seconds 4 --fps 60 -o "walk$turn.bvh"
	run 0 library add moves.reprise "walk$turn.bvh"
	stretches+=("$(jq -r --arg name "walk$turn" '[.events[] | select(.name == "heel_strike_left" and .time_s > 0.9) | .time_s] |
		"\($name)@\(.[0])..\(.[1])"' "walk$turn.json")")
done
run 0 space build moves.reprise "${stretches[@]}" -p turn --name walk
run 0 pgraph build moves.reprise --nodes walk

run 0 pgraph reach moves.reprise --json; silent
json .schema reprise-pgraph-reach-1; json .name pgraph; json .seconds 5; json .whole true; json .headings 16; holds '.picture == null'
holds '.area_m2 > 30 and .area_m2 < 150 and .heading_share > 0.05 and .heading_share < 0.9 and .places > 1000'
cp .out five
run 0 pgraph reach moves.reprise --seconds 3 --from walk --cell 0.5 -o reach.png --json
json .from walk; json .cell_m 0.5; json .picture reach.png; holds ".area_m2 < $(jq .area_m2 five)"
run 0 pgraph reach moves.reprise --seconds 3 -o headings.svg; says "within 3.0 s: "; says "headings on average"
grep -q '<svg' headings.svg || fail "no picture"
run 0 pgraph reach moves.reprise --seconds 3 --times -o times.svg
cmp -s headings.svg times.svg && fail "times are drawn as headings"
run 0 pgraph reach moves.reprise --seconds 3 -o again.svg; cmp headings.svg again.svg || fail "another picture"

run 2 pgraph reach moves.reprise --from run; tells 'the graph has no node "run"'
run 2 pgraph reach moves.reprise --seconds 0; tells "seconds"
run 2 pgraph reach moves.reprise -o reach.bvh
run 3 pgraph reach moves.reprise --name none; tells "there are:"
