# graph list and graph remove; thresholds written and read again; what is said of names that a graph does not have.
source "$(dirname "$0")/lib/common.bash"

for turn in -30 0 30; do run 0 perform walk --seconds 5 --turn $turn --seed 5 --fps 60 -o "walk$turn.bvh"; done
mv walk-30.bvh walk.bvh; mv walk-30.json walk.json; mv walk0.bvh walk-2.bvh; mv walk0.json walk-2.json; mv walk30.bvh walk-3.bvh; mv walk30.json walk-3.json
run 0 perform sneak --seconds 6 --seed 4 --fps 60 -o sneak.bvh
run 0 library add moves.reprise walk.bvh walk-2.bvh walk-3.bvh sneak.bvh
run 0 graph list moves.reprise; mute; tells "no graph"
run 0 graph list moves.reprise --json; json '.graphs | length' 0
run 3 graph remove moves.reprise; tells "moves.reprise: the library has no graph \"graph\""
run 3 graph list nosuch.reprise

# The list says what build and info say.
run 0 graph build moves.reprise --json
cp .out built.json
run 0 graph build moves.reprise walk walk-2 --name small --threshold 0.1
run 0 graph info moves.reprise --json
cp .out info.json
run 0 graph list moves.reprise --json
json .schema reprise-graph-list-1
holds '[.graphs[].name] == ["graph", "small"]'
cp .out list.json
jq -e -n --slurpfile l list.json --slurpfile b built.json --slurpfile i info.json '$l[0].graphs[0] as $g |
	$g.clips == 4 and $g.frames == $b[0].frames and $g.nodes == $i[0].nodes and $g.transitions == $i[0].transitions
	and (($g.seconds - ([$i[0].labels[].seconds] | add)) | fabs) < 1e-3
	and $g.steering == false and $g.problem == null and $g.bytes > 1000' > /dev/null || fail "the list differs from info"
run 0 graph steer moves.reprise --name small
run 0 graph list moves.reprise
silent
grep -Eq '^graph +4 .* no +[0-9]+$' .out || fail "the line of graph"
grep -Eq '^small +2 .* yes +[0-9]+$' .out || fail "the line of small, which can be steered"
run 0 library show moves.reprise
says 'graph model "graph"'; says 'graph model "small"'; says "remembers of comparing clips"
run 0 library show moves.reprise --json
holds '[.models[] | select(.kind == "graph") | .name] == ["graph", "small"]'

# All that are named or none; the file shrinks; clips stay.
cp moves.reprise before.reprise
run 3 graph remove moves.reprise --name small --name nosuch; tells 'no graph "nosuch"'; tells "there are: graph, small"
cmp moves.reprise before.reprise || fail "a failure changed the library"
size=$(stat -c %s moves.reprise)
run 0 graph remove moves.reprise --name small --name small --json
json '.removed | length' 1
holds '.removed[0].name == "small" and .removed[0].bytes > 1000'
jq -e --argjson before "$size" --argjson now "$(stat -c %s moves.reprise)" \
	'.library_bytes == $now and $before - $now > .removed[0].bytes * 0.8' .out > /dev/null || fail "the file did not shrink"
run 0 library check moves.reprise
run 0 graph info moves.reprise
run 3 graph info moves.reprise --name small; tells "there are: graph"
# A name of another kind of model is none of a graph.
run 0 library show moves.reprise --json
minima=$(jq -r '.models[] | select(.kind == "minima") | .name' .out)
run 3 graph remove moves.reprise --name "$minima"
# Comparisons go only when they are asked for.
run 0 graph remove moves.reprise; says "removed the graph graph"
run 0 graph build moves.reprise --json; json .pairs_compared 0
run 0 graph remove moves.reprise --comparisons; says "comparisons"
run 0 graph list moves.reprise --json; json '.graphs | length' 1
run 0 graph build moves.reprise --json; json .pairs_compared 10
run 0 library check moves.reprise

# One whose clips are gone can be listed, and removed.
cp moves.reprise gone.reprise
run 0 library remove gone.reprise sneak
run 0 graph list gone.reprise; tells 'graph cannot be used: the clip "sneak"'; says "?"
run 0 graph list gone.reprise --json; holds '.graphs[0].clips == null and (.graphs[0].problem | test("sneak"))'
run 0 graph remove gone.reprise
run 0 graph list gone.reprise --json; json '.graphs | length' 0

# What build writes as a table, it takes as thresholds, and makes the same graph.
run 0 graph build moves.reprise --csv chosen.csv
grep -q '^from,to,threshold_m,' chosen.csv || fail "no table"
run 0 graph export moves.reprise -o chosen.txt
run 0 graph build moves.reprise --name again --threshold chosen.csv
run 0 graph export moves.reprise --name again -o again.txt
cmp chosen.txt again.txt || fail "thresholds that were chosen give another graph when they are given"
printf '# mine\n\nfrom, to, distance\nwalk,walk,0.1\r\n' > named.csv
run 0 graph build moves.reprise --name named --threshold named.csv
# Names of the columns stand in the first line alone; a label may be called from.
printf 'walk,walk,0.1\nfrom,to,distance\n' > bad.csv
run 3 graph build moves.reprise --threshold bad.csv; tells "bad.csv:2:9: this is no threshold"
: > bad.csv; run 3 graph build moves.reprise --threshold bad.csv; tells "bad.csv:1:1: there is no threshold in it"
printf 'from,to,distance\n# none\n' > bad.csv
run 3 graph build moves.reprise --threshold bad.csv; tells "there is no threshold in it"
printf 'walk,sneak,0.1\nsneak,walk,0.1\nwalk,walk,auto\nwalk , sneak,never\nwalk,walk,0.1\n' > bad.csv
run 3 graph build moves.reprise --threshold bad.csv
tells 'bad.csv:4:1: from "walk" to "sneak" has a threshold in line 1 already'
printf 'walk,sneak,0.1,7\n' > bad.csv; run 3 graph build moves.reprise --threshold bad.csv; tells "bad.csv:1:16:"
printf 'from,to,distance,chosen\nwalk,sneak,0.1\n' > bad.csv
run 3 graph build moves.reprise --threshold bad.csv; tells "bad.csv:2:1: columns are missing"

# Options that do not go together, or do nothing.
cp chosen.csv kept.csv
run 2 graph build moves.reprise --csv chosen.csv --threshold chosen.csv
tells "chosen.csv is one of the inputs"; tells "hint: give another name after --csv"
! grep -q force .err || fail "a hint at an option that build does not have"
cmp chosen.csv kept.csv || fail "an input was overwritten"
run 2 graph build moves.reprise --same-contacts --any-support; tells "any-support"
run 0 graph build moves.reprise --name small --threshold 0.1 --share 80 --switch 2
tells "--share has no effect"; tells "--switch has no effect"
run 0 graph build moves.reprise --name small --share 80; ! grep -q "no effect" .err || fail "it has an effect"
for text in nan inf -inf 5cm 0,1; do
	run 2 graph build moves.reprise --threshold=$text; tells "--threshold $text is no distance"
done
run 3 graph build moves.reprise --threshold info.csv; tells "info.csv"

# Labels and clips that came after the graph, and names that nothing has.
run 0 graph build moves.reprise
run 0 library label moves.reprise walk-2 limp@1..3
run 4 graph walk moves.reprise --label limp -o x.bvh
tells 'the graph was built before "walk-2" was given the label "limp"'
tells "build it anew: reprise graph build moves.reprise"
run 4 graph walk moves.reprise --name named --from walk --to limp -o x.bvh; tells "reprise graph build moves.reprise --name named"
run 0 graph build moves.reprise
run 0 graph walk moves.reprise --from sneak --to limp -o x.bvh
run 0 graph build moves.reprise walk walk-2 --name small --threshold 0.1
run 4 graph walk moves.reprise --name small --label sneak -o x.bvh; tells 'is without "sneak", the clip that has the label'
run 4 graph go moves.reprise --name small --goal 0,5,0 --from walk-3 -o x.bvh; tells 'built without the clip "walk-3"'
run 4 graph walk moves.reprise --label snaek -o x.bvh; tells 'no label "snaek"'; tells 'did you mean "sneak"? labels: '

# Where reach starts; what clips there are.
run 4 graph reach moves.reprise --from wlak-2; tells 'did you mean "walk-2"?'; tells "graph info --clips"
run 0 graph reach moves.reprise --from sneak --json; json .start_clip sneak
run 0 graph reach moves.reprise --from limp --json; json .start_clip walk-2; holds '.start_s > 0.9 and .start_s < 3.1'
run 0 graph info moves.reprise --clips; says "walk-3"; says "share"
run 0 graph info moves.reprise --clips --json
json '.clip_list | length' 4
holds '[.clip_list[] | .share >= 0 and .share <= 1 and .used_s <= .seconds + 1e-6] | all'
used=$(jq '[.clip_list[].used_s] | add' .out)
run 0 graph list moves.reprise --json
jq -e --argjson used "$used" '([.graphs[] | select(.name == "graph")][0].seconds - $used | fabs) < 1e-3' .out > /dev/null ||
	fail "clips and list report different motion"
run 0 graph info moves.reprise --json; holds 'has("clip_list") | not'

# More labels than a hint has room for: it says how many it leaves out.
run 0 library label moves.reprise walk $(printf 'a-rather-long-label-%02d ' $(seq 30))
run 0 graph build moves.reprise
run 4 graph walk moves.reprise --label fly -o x.bvh
grep -Eq 'labels: .* and 2[0-9] more$' .err || fail "the hint does not say how many labels it leaves out"
run 4 graph walk moves.reprise --from fly --to walk -o x.bvh; tells " more; clips: see reprise graph info --clips"
