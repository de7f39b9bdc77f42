# graph: built, shown, exported; thresholds and what is said of wrong ones.
source "$(dirname "$0")/lib/common.bash"

for turn in -30 0 30; do run 0 perform walk --seconds 5 --turn $turn --seed 3 --fps 60 -o "walk$turn.bvh"; done
run 0 perform sneak --seconds 6 --seed 4 --fps 60 -o sneak.bvh
run 0 library add moves.reprise walk*.bvh sneak.bvh

run 0 graph build moves.reprise --mirror --picture thresholds.png --csv thresholds.csv --json
json .schema reprise-graph-build-1
json .name graph
json .clips 8
json .pairs_compared 36
holds '.transitions > 100 and .nodes > 50 and .edges > .nodes and .build_seconds > 0'
holds '[.thresholds[] | select(.from == "walk" and .to == "walk")][0] | .share > 0.7 and .threshold_m > 0'
[ "$(head -c 4 thresholds.png | tail -c 3)" = PNG ] || fail "no picture"
grep -q '^walk,walk,0.080000,' thresholds.csv || fail "no table"

# What was compared is not compared again; the same graph again.
run 0 graph export moves.reprise -o a.txt
run 0 graph build moves.reprise --mirror --json
json .pairs_compared 0
run 0 graph export moves.reprise -o b.txt
cmp a.txt b.txt || fail "another graph"
# Into a pipe, as its help shows.
"$REPRISE" graph export moves.reprise -q -o /dev/stdout | cmp - b.txt || fail "a pipe is given other bytes"
count=$("$REPRISE" graph export moves.reprise -q -o /dev/stdout | grep -c " transition ")
run 0 graph info moves.reprise --json; json .transitions "$count"
OMP_NUM_THREADS=1 run 0 library add other.reprise walk*.bvh sneak.bvh
OMP_NUM_THREADS=1 run 0 graph build other.reprise --mirror
run 0 graph export other.reprise -o c.txt
cmp a.txt c.txt || fail "one thread makes another graph than two"

run 0 graph info moves.reprise; says "go on for ever"; says walk
run 0 graph info moves.reprise --json
holds '.labels | map(.label) == ["sneak", "walk"]'
holds '.labels[1].endless_s > 5'
run 0 graph picture moves.reprise -o graph.svg
grep -q '<svg' graph.svg || fail "no picture"

# Named clips, thresholds, and what is wrong with them.
run 0 graph build moves.reprise walk-30 walk0 --name small --threshold 0.1 --json
json .clips 2
printf '# from,to\nwalk,sneak,never\nsneak,walk,never\nwalk,walk,auto\n' > apart.csv
run 0 graph build moves.reprise --name apart --threshold apart.csv
tells 'no path to "walk"'
printf 'walk,sneak\n' > bad.csv; run 3 graph build moves.reprise --threshold bad.csv; tells "bad.csv:1:1"
printf 'walk,sneak,far\n' > bad.csv; run 3 graph build moves.reprise --threshold bad.csv; tells "bad.csv:1:12"
printf '# mine\n  walk, wlak,0.2\n' > bad.csv
run 3 graph build moves.reprise --threshold bad.csv; tells 'bad.csv:2:9: no clip has the label "wlak"'
tells 'did you mean "walk"?'
printf 'swimming,walk,auto\n' > bad.csv
run 3 graph build moves.reprise --threshold bad.csv; tells 'bad.csv:1:1: no clip has the label "swimming"'
tells 'there are: walk, sneak'
# A label of the library that no clip of this graph has.
printf 'from,to,metres\nwalk,sneak,0.1\n' > spare.csv
run 0 graph build moves.reprise walk-30 walk0 --name spare --threshold spare.csv
says "candidates under it, before dead ends are pruned"
run 3 graph build moves.reprise --threshold nosuch.csv
run 2 graph build moves.reprise --threshold -1
run 4 graph build moves.reprise --threshold 0.0001; tells "no transition is left"
run 3 graph build moves.reprise nosuch; tells 'no clip "nosuch"'
run 3 graph info moves.reprise --name nosuch; tells "there are: apart, graph, small, spare"
run 3 graph info nosuch.reprise
run 0 perform jump --seconds 1 -o jump.bvh
run 0 library add tiny.reprise jump.bvh
run 4 graph build tiny.reprise
run 3 graph info tiny.reprise; tells "graph build"
run 0 library check moves.reprise

# Walks.
run 0 graph walk moves.reprise --seconds 12 --seed 1 -o walk.bvh --json
holds '.seconds >= 12 and .seconds < 12.1 and .transitions > 1 and .output.file == "walk.bvh"'
run 0 evaluate walk.bvh --limits default
run 0 graph walk moves.reprise --seconds 12 --seed 1 -o again.bvh
cmp walk.bvh again.bvh || fail "the same seed walks elsewhere"
run 0 graph walk moves.reprise --seconds 5 --label sneak -o sneaking.bvh
run 0 info sneaking.bvh --json
holds '.clips[0] | [.labels[].name] | unique == ["sneak"]'
run 0 graph walk moves.reprise --from walk --to sneak -o change.bvh --json
holds '.transitions >= 1 and .seconds < 10'
grep -q '"name": "from walk to sneak"' change.json || fail "the motion is not named by what was asked for"
run 4 graph walk moves.reprise --label fly -o x.bvh; tells 'labels: sneak, walk'
run 2 graph walk moves.reprise --to sneak -o x.bvh
run 2 graph walk moves.reprise --from walk --to walk -o x.bvh; tells '--from and --to are the same, "walk"'
run 2 graph go moves.reprise --goal 0,0,0 -o x.bvh; tells "the goal is where the walk starts"
run 2 graph go moves.reprise --goal 2e5,0,0 -o x.bvh; tells "the goal is 200000 m away"
run 2 graph go moves.reprise --goal 0,1e308,0 -o x.bvh; tells "--goal needs numbers from -1000000 to 1000000"
run 3 graph path moves.reprise --path . -o x.bvh; tells "cannot read it: Is a directory"
run 4 graph walk moves.reprise --name apart --from walk --to sneak -o x.bvh

# Paths.
printf '<svg><path d="M0 0 C0 -300 -200 -400 -400 -500"/></svg>' > curve.svg
run 0 graph path moves.reprise --path curve.svg -o curve.bvh --json
holds '.path_error_mean_m < 0.3 and .path_error_max_m >= .path_error_mean_m and .search_seconds > 0 and .transitions >= 0'
grep -q '"name": "along curve"' curve.json || fail "the motion is not named by its path"
# It is measured against the drawing too; at another scale it is elsewhere.
run 0 evaluate curve.bvh --path curve.svg --max-path 0.3
run 5 evaluate curve.bvh --path curve.svg --path-scale 0.02 --max-path 0.3
run 3 evaluate curve.bvh --path nosuch.svg
printf '<svg><path d="M0 0 C0 -300 -200 -400 -400 -500"/><path d="M0 0L1 1"/></svg>' > two.svg
run 0 graph path moves.reprise --path two.svg -o two.bvh; tells "two.svg has 2 strokes"
cmp two.bvh curve.bvh || fail "another path than the first stroke"
printf '0,0\n0,4\n0,9\n' > line.csv
run 0 graph path moves.reprise --path line.csv --style walk:0..4,sneak:4..9 --even-speed 0.05 -o styles.bvh --json
# Few transitions lead from walking to sneaking here, so the way to one is a detour.
holds '.path_error_mean_m < 1'
run 0 info styles.bvh --json
holds '.clips[0] | [.labels[].name] | unique == ["sneak", "walk"]'
# Where no style is asked for it is one of the others; styles do not overlap.
run 0 graph path moves.reprise --path line.csv --style walk:0..3,sneak:4..6 -o gaps.bvh
run 0 info gaps.bvh --json
holds '.clips[0] | [.labels[].name] | contains(["sneak", "walk"])'
run 0 graph path moves.reprise --path line.csv --style sneak:0..6 -o gaps.bvh --json
holds '.path_m == 9 and .path_covered > 0.9 and .path_arc_error_mean_m >= 0'
run 0 info gaps.bvh --json
holds '.clips[0] | [.labels[].name] | unique == ["sneak"]'
run 2 graph path moves.reprise --path line.csv --style walk:0..5,sneak:4..6 -o x.bvh; tells "begins before"
run 0 graph path moves.reprise --path line.csv --avoid 0,5,0.4 -o around.bvh --picture around.png --json; exists around.png
json .picture around.png
run 2 graph path moves.reprise --path line.csv -o x.bvh --picture x.bmp; tells ".png or .svg"; absent x.bvh
# The path goes into the file beside the motion, through edits, and into pages.
wanted() { jq -e '.curves[] | select(.name == "wanted_path")' "$1" > .out || fail "$1 has no path"; }
wanted around.json; holds '.kind == "point" and (.values | length) == 3 * (.times_s | length) and .values[-1] == 9'
run 0 convert around.bvh -o moved.bvh --shift 10,0 --crop 0..3
wanted moved.json; holds '.values[0] == 10 and .values[-1] < 8'
run 0 show around.bvh -o around.html; grep -q '"wanted":\[0,0,0,' around.html || fail "the page has no path"
run 4 graph path moves.reprise --path line.csv --max-error 0.0001 -o x.bvh; tells "from the path"
run 4 graph path moves.reprise --path line.csv --avoid 0,0,1 -o x.bvh; tells "starts inside the circle --avoid 0,0,1"
run 0 graph path moves.reprise --path line.csv --avoid 0,9,0.5 -o near.bvh; tells "ends inside the circle --avoid 0,9,0.5"
# Corners that none of the clips turns at.
printf '0,0\n0,6\n0,-6\n0,6\n0,-6\n' > corners.csv
run 4 graph path moves.reprise --path corners.csv --no-bend -o x.bvh; tells "the best walk does not follow the path"
tells "m walked for 42.0 m"; tells "the path turns"; tells "the clips by at most"; tells "corners rounder"; tells "--best-effort"
absent x.bvh
run 0 graph path moves.reprise --path corners.csv --no-bend --best-effort -o best.bvh --json
holds '.followed == false and (.warnings[0] | startswith("the best walk does not follow the path"))'
[ -s best.bvh ] || fail "the best walk was not written"
run 4 graph path moves.reprise --path corners.csv --no-bend --max-error 0.2 -o x.bvh; tells "at most 0.2 m wanted"
run 0 graph path moves.reprise --path corners.csv --no-bend --max-error 50 -o corners.bvh; silent
printf '0,0\n0,6\n-6,6\n' > bent.csv
run 0 graph path moves.reprise --path bent.csv -o bent.bvh; says "bent by up to"; says "path: 12.0 m long, 6.0 x 6.0 m"
run 0 graph path moves.reprise --path bent.csv -o bent.bvh --json
holds '.followed and .path_size_m == [6, 6] and .path_m == 12'
# Too sharp to the left, and the drawing is said to be too small.
printf '<svg><circle r="60"/></svg>' > round.svg
run 4 graph path moves.reprise --path round.svg -o x.bvh; tells "make the path larger (--scale 0.0"
# A unit that makes it tiny or huge is asked about; who gives one has meant it.
printf '<svg><path d="M0 0L0 -8"/></svg>' > tiny.svg
run 3 graph path moves.reprise --path tiny.svg -o x.bvh
tells "tiny.svg: the path would be 0.08 m long, less than a step: a unit of the file is taken as 0.01 m"; tells "--scale 1 makes the path 8 m long"
run 0 graph path moves.reprise --path tiny.svg --scale 1 -o large.bvh; says "path: 8.0 m long, 0.0 x 8.0 m"
run 0 graph path moves.reprise --path tiny.svg --scale 0.01 -o tiny.bvh; tells "the path is 0.08 m long, less than a step"
printf '0,0\n0,9000\n' > mm.csv
run 3 graph path moves.reprise --path mm.csv -o x.bvh; tells "more than a kilometre"; tells "--scale 0.001 makes the path 9 m long"
run 0 graph path moves.reprise --path mm.csv --scale 0.001 -o mm.bvh --json
holds '.path_m == 9 and .path_size_m == [0, 9]'
run 3 evaluate mm.bvh --path mm.csv; tells "--path-scale 0.001"
run 0 evaluate mm.bvh --path mm.csv --path-scale 0.001 --max-path 0.3 --json; holds '.path_m == 9'
run 0 evaluate mm.bvh --path mm.csv --path-scale 0.001; says "path: 9.0 m long, 0.0 x 9.0 m"
run 4 graph path moves.reprise --path line.csv --style fly:0..9 -o x.bvh
run 2 graph path moves.reprise --path line.csv --style walk -o x.bvh
run 2 graph path moves.reprise --path line.csv --avoid 1,2 -o x.bvh
run 2 graph path moves.reprise --path line.csv --avoid 0,5,1e300 -o x.bvh; tells "--avoid needs numbers from -1000000"
run 2 graph path moves.reprise -o x.bvh
printf '<svg><path d="M0 0 Q"/></svg>' > bad.svg
run 3 graph path moves.reprise --path bad.svg -o x.bvh; tells "bad.svg:1:"
printf '0,0\n5,1e300\n' > far.csv
run 3 graph path moves.reprise --path far.csv -o x.bvh; tells "far.csv:2:3: a path has no points beyond 100 km"
printf '1,1\n1,1\n1,1\n' > point.csv
run 3 graph path moves.reprise --path point.csv -o x.bvh; tells "point.csv: a path of 0 m; more than 0"
[ ! -e x.bvh ] || fail "a failure left a file"
run 0 graph go moves.reprise --goal 0.5,5,10 -o go.bvh --json
holds '.goal_error_m < 0.5 and (.goal_error_deg | fabs) < 45'
run 2 graph go moves.reprise -o x.bvh
# Behind: somebody who only goes straight does not get there.
run 0 perform walk --seconds 6 --seed 1 -o straight1.bvh
run 0 perform walk --seconds 6 --seed 2 -o straight2.bvh
run 0 library add straight.reprise straight1.bvh straight2.bvh
run 0 graph build straight.reprise
run 4 graph go straight.reprise --goal 0,-3,180 -o x.bvh; tells "degrees from the goal, more than 0.5 m or 45 degrees"
tells "the clips turn left by at most"; absent x.bvh
run 0 graph go straight.reprise --goal 0,-3,180 --best-effort -o behind.bvh --json
holds '.reached == false and .goal_error_m > 0.5 and (.warnings | length) == 1'
run 4 graph go moves.reprise --goal 0.5,5,10 --max-error 0.00001 -o x.bvh; tells "more than 1e-05 m"

# What is read is not written over.
cp moves.reprise kept.reprise
run 2 graph export moves.reprise -o moves.reprise; tells "moves.reprise is one of the inputs"
cmp moves.reprise kept.reprise || fail "the library was written over"
printf '0,0\n0,3\n' > line.csv; cp line.csv kept.csv
run 2 graph path moves.reprise --path line.csv -o line.csv; tells "line.csv is one of the inputs"
cmp line.csv kept.csv || fail "the path was written over"

# Styles lie on the path.
run 2 graph path moves.reprise --path line.csv --style walk:0..2,sneak:50..60 -o x.bvh
tells "the style \"sneak\" begins at 50 m, but the path is 3.0 m long"
