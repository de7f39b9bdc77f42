# graph steer, bundle, play: from a library to a character that is steered.
source "$(dirname "$0")/lib/common.bash"

for i in 1 2 3; do
	turn=$(echo "0 45 -45" | cut -d' ' -f$i)
	run 0 perform walk --turn "$turn" --seconds 5 --fps 60 --seed $i -o walk$i.bvh
done
run 0 library add moves.reprise walk1.bvh walk2.bvh walk3.bvh
run 0 graph build moves.reprise --threshold 0.1

# The table.
run 0 graph steer moves.reprise --json; silent
json .schema reprise-graph-steer-1
json .directions 16
holds '.entries > 1000 and .speed_mps > 1 and .progress_mps > 0.3 and .share_of_motion < 0.3 and .steer_seconds >= 0'
run 0 graph steer moves.reprise --seconds 2 --speed 1.2; says "entries"; says "of 1.20 m/s"
run 2 graph steer moves.reprise --speed fast
run 3 graph steer moves.reprise --name nothing; tells "there are: graph"

# The bundle: the same bytes again; a name that is not there.
run 0 bundle moves.reprise -o moves.rpb --json
json .kind graph; json .clips 3
holds '.bytes > 50000 and .bytes * 3 < .bytes_exact'
holds '.max_error_mm > 0 and .max_error_mm <= 0.1 and .max_error_deg > 0 and .max_error_deg <= 0.05'
run 0 bundle moves.reprise --model graph -o again.rpb; says "3 clips"; says "joints off by at most 0."
cmp moves.rpb again.rpb || fail "the same graph gives other bytes"
OMP_NUM_THREADS=1 REPRISE_KERNEL=portable run 0 bundle moves.reprise -o again.rpb
cmp moves.rpb again.rpb || fail "another kernel gives other bytes"

# Its frames as they are.
run 0 bundle moves.reprise -o exact.rpb --exact --json
holds '.bytes == .bytes_exact and .max_error_mm == 0 and .max_error_deg == 0'
[ $(($(stat -c %s moves.rpb) * 3)) -le "$(stat -c %s exact.rpb)" ] || fail "packed it takes more than a third"
run 0 bundle moves.reprise -o exact.rpb --exact; says "exact"
run 0 bundle moves.reprise -o lean.rpb --layer lean --json; holds '.bytes * 3 < .bytes_exact'
run 2 bundle moves.reprise -o no.rpb --layer lean:-1; tells "from 0 to 2, not -1"
run 2 bundle moves.reprise -o no.rpb --layer lean:1e300; tells "from 0 to 2"
run 3 bundle moves.reprise --model nothing -o no.rpb
[ ! -e no.rpb ] || fail "no.rpb was written"
run 2 bundle moves.reprise -o moves.bvh

# Played: half a circle in steps, by degrees and by the stick; it passes evaluate.
printf 'time,direction\n0,0\n5,90\n# turn round\n12,180\n' >steer.csv
run 0 play moves.rpb --script steer.csv -o out.bvh --seconds 20 --json; silent
json .schema reprise-play-1
json .output.frames 1201; json .locked true
holds '.transitions > 5 and (.stretches | length) == 3'
holds '.stretches[2] | .way_m > 5 and (if .went_deg < 0 then .went_deg + 360 else .went_deg end | . > 140 and . < 220)'
# Its walks bend their knees by 13 degrees on a straight line and by 25 in a bend, at one pace: by that alone neither
# is wrong.
run 0 evaluate out.bvh --reference moves.reprise --limits default --max-knee 30
grep -q '"seam"' out.json || fail "no seam in the sidecar"
run 0 info out.bvh --json; holds '.clips[0] | [.labels[].name] | index("walk")'
run 0 play moves.rpb --script steer.csv -o again.bvh --seconds 20
cmp out.bvh again.bvh || fail "played again it is another motion"
# From frames as they are: the same clips at the same times, the same stances.
run 0 play exact.rpb --script steer.csv -o exact.bvh --seconds 20
for clip in out exact; do jq -c "del(.provenance, .file, .hash, .name)" $clip.json >$clip.notes; done
cmp out.notes exact.notes || fail "packed frames lead to other choices"
cmp -s out.bvh exact.bvh && fail "packed frames are exact"
run 0 play lean.rpb --script steer.csv -o lean.bvh --seconds 5
printf '0,0,1\n4,-1,0\n8,0,0\n' >stick.csv
run 0 play moves.rpb --script stick.csv -o stick.bvh --fps 30 --no-lock; says "13.00 s, 391 frames at 30 fps"

# One is no plural.
printf '0,0\n' >one.csv
run 0 play moves.rpb --script one.csv -o one.bvh --seconds 2; says "1 change of direction"
run 0 library add single.reprise walk1.bvh
run 0 graph build single.reprise; says "graph: 1 clip, "
run 0 graph info single.reprise; says "graph: 1 clip, "
run 0 bundle single.reprise -o single.rpb; says "single.rpb: 1 clip, "

# Columns by their names, in any order, and with the mark that Excel writes first.
printf '\xef\xbb\xbfy,time,x\r\n1,0,0\r\n0,4,-1\r\n0,8,0\r\n' >named.csv
run 0 play moves.rpb --script named.csv -o named.bvh --fps 30 --no-lock
cmp stick.bvh named.bvh || fail "columns in another order lead elsewhere"
printf 'time,way\n0,1\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells 'bad.csv:1:6'; tells '"way"'
# What a graph does not understand.
for name in gait speed turn; do
	printf 'time,x,y,%s\n0,0,1,1\n' $name >bad.csv
	run 3 play moves.rpb --script bad.csv -o out2.bvh
	tells "bad.csv:1:10: \"$name\" is for models of locomotion; this is a motion graph, steered by direction, or by x and y"
done
for names in time time,x time,direction,x,y time,x,y,magnitude direction,x; do
	printf '%s\n0,1\n' $names >bad.csv
	run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:1:1: the columns are time and direction, or time, x and y"
done
printf 'time,direction,direction\n0,1,1\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:1:16: the first line names columns"
while read -r line column text; do
	printf 'time,x,y,lean\n%s\n' "$line" >bad.csv
	run 3 play lean.rpb --script bad.csv -o out2.bvh; tells "bad.csv:2:$column: $text"
done <<-'END'
	0,1 1 a stick has both x and y, or neither
	0,,1 1 a stick has both x and y, or neither
	,1,1 1 "" is no number
	0,1,1,2 7 a lean of 2; 0 to 1 are allowed
	0,1,1,-1 7 a lean of -1; 0 to 1 are allowed
	0,1,1,on 7 "on" is no number
	0,1,1,1,1 9 there are 5 cells for the 4 columns
	0,9e9,1 3 a x of 9e9; -3600 to 3600 are allowed
END
printf 'time,x,y,lean\n0,0,1,1\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells 'bad.csv:1:10'; tells '"lean"'
printf 'time,x\n0,1\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "time and direction, or time, x and y, and what else is asked for"
printf 'time,direction\n0,1,1\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:2:5: there are 3 cells for the 2 columns"

# Degrees, or a stick: the same. A time of nine decimals holds in its tick; an empty cell asks for nothing, and a line that
# is cut off is empty from there on.
printf 'direction,time,magnitude\n0,0,\n90,0.016666667\n,4,0\n' >a.csv
printf 'time,y,x\n0,1,0\n0.016,6.123233995736766e-17,-1\n4\n' >b.csv
run 0 play moves.rpb --script a.csv -o a.bvh --seconds 6; run 0 play moves.rpb --script b.csv -o b.bvh --seconds 6
cmp a.bvh b.bvh || fail "a stick to the left is not 90 degrees"
printf 'time,x,y\n0,0,-1\n' >a.csv; printf 'time,x,y\n0,-0,-1\n' >b.csv
run 0 play moves.rpb --script a.csv -o a.bvh --seconds 3; run 0 play moves.rpb --script b.csv -o b.bvh --seconds 3
cmp a.bvh b.bvh || fail "a zero has a sign"

# Layers: of the bundle or the command line; switched by lines, the first at once.
run 0 play moves.rpb --layer lean --script steer.csv -o layered.bvh --seconds 5
cmp lean.bvh layered.bvh || fail "a layer of the command line is another one than that of the bundle"
run 0 play moves.rpb --script steer.csv -o plain.bvh --seconds 5
cmp -s plain.bvh lean.bvh && fail "nobody leans"
printf 'time,direction,lean\n0,0,0\n5,90\n12,180\n' >off.csv
run 0 play lean.rpb --script off.csv -o off.bvh --seconds 5
cmp plain.bvh off.bvh || fail "a layer of weight 0 does something"
printf 'lean,time,direction\n,0,0\n1,5,90\n,12,180\n' >on.csv
run 0 play lean.rpb --script on.csv -o on.bvh --seconds 5
cmp lean.bvh on.bvh || fail "an empty cell switches"
printf 'time,direction,lean\n0,90\n3,90,0\n' >later.csv
run 0 play lean.rpb --script later.csv -o later.bvh --seconds 8
run 0 play moves.rpb --script later.csv --layer lean -o later2.bvh --seconds 8; cmp later.bvh later2.bvh
printf 'time,direction\n0,90\n' >always.csv
run 0 play lean.rpb --script always.csv -o always.bvh --seconds 8
cmp -s later.bvh always.bvh && fail "the layer is not switched off"
run 2 play moves.rpb --script steer.csv -o out2.bvh --layer bow; tells 'there is no layer "bow"'
run 2 play moves.rpb --script steer.csv -o out2.bvh --layer lean:3; tells "from 0 to 2, not 3"

# Where it begins.
run 0 play moves.rpb --script one.csv -o moved.bvh --start 3,-2,90 --seconds 0.1
run 0 play moves.rpb --script one.csv -o moved.csv --start 3,-2,90 --seconds 0.1
awk -F, 'NR == 2 { ok = ($2 - 3)^2 + ($4 + 2)^2 < 1e-8 } END { exit !ok }' moved.csv || fail "it does not begin where it should"
run 2 play moves.rpb --script one.csv -o out2.bvh --start 3,-2; tells "--start needs X,Z,DEGREES"
run 2 play moves.rpb --script one.csv -o out2.bvh --start 1e9,0,0
run 2 play moves.rpb --script one.csv -o out2.bvh --seed -1

# How far it reaches.
run 0 graph reach moves.reprise --seconds 3 --picture reach.png --json; silent
json .schema reprise-graph-reach-1
holds '.area_m2 > 1 and .heading_share > 0 and .whole and .longest_without_choice_s >= .mean_without_choice_s'
exists reach.png
run 0 graph reach moves.reprise --seconds 2 --from walk; says "within 2.0 s from walk"; says "a choice every"
run 4 graph reach moves.reprise --from nobody; tells "nobody"
run 2 graph reach moves.reprise --picture reach.txt

# What goes wrong.
run 2 play moves.rpb -o out2.bvh; tells "--script"
printf '0,0\n0,90\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:2:1"; tells "do not increase"
printf '0,north\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells 'bad.csv:1:3: "north" is no number'
printf '0,0\n1e12,90\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:2:1: a time of 1e12 s; 0 to 36000 are allowed"
printf '0, 1e12\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:1:4: a direction of 1e12 degrees; -3600 to 3600"
printf '0,1,2,3\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:1:7: there are more than three"
printf '0\n' >bad.csv
run 3 play moves.rpb --script bad.csv -o out2.bvh; tells "bad.csv:1:1: two or three numbers"
run 3 play moves.rpb --script none.csv -o out2.bvh
run 3 play walk1.bvh --script steer.csv -o out2.bvh; tells "no bundle"
run 3 play moves.reprise --script steer.csv -o out2.bvh; tells "no bundle"; tells "reprise bundle LIB.reprise -o FILE.rpb"
mkdir folder.rpb
run 3 play folder.rpb --script steer.csv -o out2.bvh; tells "folder.rpb: this is a folder"
: >empty.rpb
run 3 play empty.rpb --script steer.csv -o out2.bvh; tells "no bundle: it is empty"; tells "reprise bundle LIB"
head -c 5000 moves.rpb >cut.rpb
run 3 play cut.rpb --script steer.csv -o out2.bvh; tells "damaged"
[ ! -e out2.bvh ] || fail "out2.bvh was written"
