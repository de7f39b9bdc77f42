# compare: minima, pictures and tables of distances; what goes wrong.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 --seed 1 -o walk.bvh
run 0 perform walk --seconds 3 --fps 60 --seed 2 --speed 1.6 -o fast.bvh
run 0 perform walk --seconds 2 --fps 60 --stature 1.6 -o small.bvh

# The report.
run 0 compare walk.bvh fast.bvh --json; silent
json .schema reprise-compare-1
json .metric cloud; json .rows 121; json .columns 91; json .fps 30.0; json .window_s 0.5
holds '.time_s > 0 and (.minima | length) > 5 and .warnings == []'
holds '.minima | all(.i >= 7 and .i <= 113 and .j >= 7 and .j <= 83)'
holds '.minima | all((.distance_m | type) == "number" and (.turn_deg | type) == "number" and (.x_m | type) == "number" and (.z_m | type) == "number")'
holds '.minima | map([.i, .j]) == (map([.i, .j]) | sort)'
holds '[.provenance.inputs[].name] == ["walk.bvh", "fast.bvh"]'
all=$(jq '.minima | length' .out)
middle=$(jq '[.minima[].distance_m] | sort | .[length / 2 | floor]' .out)
run 0 compare walk.bvh fast.bvh --threshold "$middle" --json
holds ".minima | length > 0 and length < $all and all(.distance_m <= $middle)"
run 0 compare walk.bvh fast.bvh --window 0 --json; json .window_s 0.0; holds '.minima | length > 5'

# For people.
run 0 compare walk.bvh fast.bvh; says "121 by 91 frames at 30 Hz"; says "nearest: walk.bvh at"; silent
run 0 compare walk.bvh fast.bvh --quiet; says "nearest:"; silent

# The table: one row for each frame of the first clip; it holds the minima.
run 0 compare walk.bvh fast.bvh --csv grid.csv --picture grid.png --json
json .csv grid.csv; json .picture grid.png
exists grid.png
[ "$(wc -l < grid.csv)" -eq 121 ] || fail "rows of the table"
awk -F, 'NF != 91 { exit 1 }' grid.csv || fail "columns of the table"
jq -r '.minima[] | [.i, .j, .distance_m] | @tsv' .out | while read -r i j distance; do
	awk -F, -v i="$i" -v j="$j" -v d="$distance" 'NR == i + 1 { e = $(j + 1) - d; exit !(e < 1e-5 && e > -1e-5) }' grid.csv ||
		fail "the table has another value than the minimum at $i, $j"
done
head -c 8 grid.png | od -An -tx1 | grep -q '89 50 4e 47' || fail "no PNG"
cp grid.csv keep.csv; cp grid.png keep.png
run 0 compare walk.bvh fast.bvh --csv grid.csv --picture grid.png; says grid.csv; says grid.png
cmp grid.csv keep.csv; cmp grid.png keep.png
run 0 compare walk.bvh fast.bvh --picture grid.svg; grep -q '<svg' grid.svg || fail "no SVG"

# With itself: moments that repeat, not the diagonal; the picture and the table show all of it.
run 0 compare walk.bvh walk.bvh --threshold 0.05 --csv self.csv --picture self.png --json
holds '(.minima | length) > 3 and (.minima | all(.j - .i > 14))'
[ "$(wc -l < self.csv)" -eq 121 ] || fail "rows of the table"
awk -F, '$NR > 0.001 { exit 1 } NF != 121 { exit 1 }' self.csv || fail "a moment is far from itself"

# A stretch of a clip; a clip of a library.
run 0 compare walk.bvh@1..2 fast.bvh --json; json .rows 31
run 0 perform run --seconds 2 -o run.bvh
run 0 library add lib.reprise walk.bvh run.bvh
run 0 compare 'lib.reprise#walk' 'lib.reprise#run' --json; json .rows 121

# By angles: no metres.
run 0 compare walk.bvh fast.bvh --metric angle --json; json .metric angle
holds '(.minima | length) > 0 and (.minima | all(has("distance") and (has("distance_m") | not)))'

# What goes wrong.
run 2 compare walk.bvh fast.bvh --metric speed; tells 'there is no metric "speed"; there are cloud and angle'
run 2 compare walk.bvh fast.bvh --metric angle --window 0.3; tells "--window is for --metric cloud"
run 2 compare walk.bvh fast.bvh --window -1; tells "--window"
run 2 compare walk.bvh fast.bvh --threshold x; tells "--threshold"
run 2 compare walk.bvh fast.bvh --picture grid.jpg; tells ".png or .svg"; absent grid.jpg
run 2 compare walk.bvh fast.bvh --csv walk.bvh; tells "is one of the inputs"
run 1 compare walk.bvh fast.bvh --csv no/folder.csv; tells "no/folder.csv"
run 2 compare walk.bvh small.bvh; tells "have different skeletons"; tells "convert small.bvh --onto walk.bvh"
mkdir -p "two words"; cp small.bvh "two words/it's.bvh"
run 2 compare walk.bvh "two words/it's.bvh"; tells "convert 'two words/it'\\''s.bvh' --onto walk.bvh"
run 2 compare walk.bvh
run 3 compare walk.bvh gone.bvh; tells "gone.bvh"
# A full disk, as near as a test comes to one: nobody interrupted anything.
(trap '' XFSZ; ulimit -f 16; run 1 compare walk.bvh fast.bvh --csv full.csv); tells "full.csv: cannot write it"; absent full.csv
ls | grep -q part && fail "something unfinished is left"
true
