# space: MATCHES.json that is broken or hostile, libraries that have changed since, full disks, interrupts.
source "$(dirname "$0")/lib/common.bash"

for height in 1.2 1.35 1.5; do
	run 0 perform punch --height $height --reach 0.75 --fps 60 -o "punch-$height.bvh"
done
run 0 library add moves.reprise punch*.bvh
query='moves.reprise#punch-1.35@1..2'
run 0 space find "$query" -o good.json
[ "$(jq '.matches | length' good.json)" -eq 3 ] || fail "not three matches"
run 0 space build moves.reprise --from good.json -p right_wrist.y@hit --name punch
cp moves.reprise kept.reprise

# refused TEXT: bad.json is refused with this message, where it stands in the file, and what to do.
refused()
{
	run 3 space build moves.reprise --from bad.json -p right_wrist.y@hit --name refused
	tells "$1"; tells "reprise: bad.json:"; tells "reprise space find LIB#CLIP@A..B -o MATCHES.json writes such a file"
}
# edited FILTER TEXT: the same of a file that is edited; and with all in one line.
edited() { jq "$1" good.json > bad.json; refused "$2"; jq -c "$1" good.json > bad.json; refused "$2"; }

: > bad.json; refused "bad.json:1:1:"
echo '{' > bad.json; refused "bad.json:2:1:"
head -c 500 good.json > bad.json; refused "bad.json:"
echo '[1, 2]' > bad.json; refused 'its "schema" is not reprise-matches-1'
cp moves.reprise bad.json; refused "bad.json:1:"
iconv -f UTF-8 -t UTF-16 good.json > bad.json; refused "bad.json:1:1"
awk 'BEGIN{while(++i<100000)printf "["}' > bad.json; refused "maximum parsing depth"
sed '1s/{/{"matches": [],/' good.json > bad.json; refused "duplicate object key"
sed '0,/"start_s": *1.0/s//"start_s":NaN/' good.json > bad.json; refused "NaN"
sed '0,/"start_s": *1.0/s//"start_s":1e999/' good.json > bad.json; refused "real number overflow"
edited '.schema = "reprise-motion-1"' "this is no file of matches"
edited '.matches = []' '"matches" is no list of one match or more'
edited '.matches = "all"' '"matches" is no list of one match or more'
edited 'del(.matches)' '"matches" is no list of one match or more'
edited '.matches[1] = 7' "match 1 is no object"
edited '.matches[1].clip = ""' '"clip" is no text'
edited '.matches[1].hash = "x"' '"hash" is no clip'
edited '.matches[1].start_s = "1"' '"start_s" is no number from 0 to 1e+06'
edited '.matches[1].start_s = -1' '"start_s" is no number'
edited '.matches[1].end_s = 1e7' '"end_s" is no number'
edited '.matches[1].end_s = 0.5' "match 1 ends before it starts"
edited '.matches[1].distance_m = null' '"distance_m" is no number from 0 to 1000'
edited 'del(.matches[1].farthest_m)' '"farthest_m" is no number'
edited '.matches[1].parent = 2' '"parent" is no number of a match before this one'
edited '.matches[1].parent = -1' '"parent" is no number'
edited '.matches[1].parent = 1e300' '"parent" is no number'
edited '.matches[0].parent = 0' 'the query, the first match, has no "parent"'
edited '.matches[1].keep = "yes"' "neither true nor false"
edited 'del(.matches[1].mirror)' "neither true nor false"
edited '.matches[1].times_s = []' '"times_s" is no list of pairs of times'
edited '.matches[1].times_s[3] = [1]' '"times_s" is no list of pairs of times'
edited '.matches[1].times_s[3] = [1, 1]' '"times_s" does not increase'
edited '.matches[1].times_s[-1][1] += 0.5' '"times_s" is not from start to end of the match and its parent'
edited '.threshold_m = null' '"threshold_m" is no number'
edited '.threshold_from = "guess"' '"threshold_from" is not "gap", "phase" or "given"'
edited '.gap_m = [2, 1]' '"gap_m" is no range of distances'
edited '.library = 3' '"library" is no text'
# The line of the match at fault, written with others in a line each.
sed '/"number":2/s/"keep":true/"keep":7/' good.json > bad.json
run 3 space build moves.reprise --from bad.json -p right_wrist.y@hit
tells "bad.json:$(grep -n '"number":2' good.json | cut -d: -f1):1:"
run 3 space build moves.reprise --from nosuch.json -p right_wrist.y@hit; tells "nosuch.json: cannot read it"; tells "space find"
run 3 space build moves.reprise --from . -p right_wrist.y@hit; tells "Is a directory"
cmp moves.reprise kept.reprise || fail "a refusal changed the library"
# A match may have any number of times.
jq -c '.matches[0].times_s = [range(0; 200000) | [1 + . / 199999, 1 + . / 199999]]' good.json > large.json
run 0 space build moves.reprise --from large.json -p right_wrist.y@hit --samples 0 --name large
run 0 space remove moves.reprise --name large

# A long chain of dropped ones leads to the query in no time.
jq -c '.matches[0] as $q | .matches = [$q] + [range(1; 30001) as $i | $q | .parent = $i - 1 | .keep = ($i == 30000)]' good.json > chain.json
run 4 space build moves.reprise --from chain.json -p right_wrist.y@hit --name chain; tells "of the examples 1 is left"

# A clip that was renamed is the same; one that is gone or another is named, and may be left out.
run 0 library rename moves.reprise punch-1.5 high
run 0 space build moves.reprise --from good.json -p right_wrist.y@hit --samples 0 --name renamed; silent
run 0 space info moves.reprise --name punch; silent
number=$(jq '.matches[] | select(.clip == "punch-1.5") | .number' good.json)
gone()
{
	run 3 space build moves.reprise --from good.json -p right_wrist.y@hit --name gone
	tells "good.json:$(grep -n '"clip":"punch-1.5"' good.json | cut -d: -f1):1: the clip \"punch-1.5\" $1"; tells "or leave those of it out"
	run 0 space build moves.reprise --from good.json --drop "$number" -p right_wrist.y@hit --samples 0 --name rest --json
	json .examples 2
	for command in "space info moves.reprise --name punch" "space make moves.reprise --name punch --at 1.3 -o x.bvh" \
		"bundle moves.reprise --model punch -o x.rpb"; do
		# shellcheck disable=SC2086
		run 3 $command; tells "the clip \"punch-1.5\" of the space \"punch\" $2"; tells "reprise space build moves.reprise --name punch"
	done
	absent x.bvh; absent x.rpb
	run 0 space list moves.reprise; tells "punch cannot be used: the clip \"punch-1.5\""; says "punch"
	run 0 space list moves.reprise --json; holds '.spaces[] | select(.name == "punch") | .examples == null and (.problem | contains("punch-1.5"))'
	run 3 library check moves.reprise; says "the clip \"punch-1.5\" of the space \"punch\" $2"
	run 3 library check moves.reprise --json; holds '.sound == false and ([.findings[] | select(.action | contains("space build"))] | length) >= 1'
}
run 0 space remove moves.reprise --name renamed
run 0 library remove moves.reprise high
gone "is not in the library" "is no longer in the library"
run 0 space remove moves.reprise --name rest
run 0 perform punch --height 1.5 --reach 0.7 --fps 60 --seed 4 -o other.bvh
run 0 library add moves.reprise other.bvh --name punch-1.5
gone "has changed since it was searched" "has changed since it was built"
run 0 space find "$query" -o anew.json; run 0 space build moves.reprise --from anew.json -p right_wrist.y@hit --name punch
run 0 library check moves.reprise; says "is sound"
# Folders and clips with signs in their names.
mkdir 'a #1'; cp moves.reprise 'a #1/b#c.reprise'
run 0 library rename 'a #1/b#c.reprise' punch-1.35 'm@1..2 "x" ü/é'
run 0 space find 'a #1/b#c.reprise#m@1..2 "x" ü/é@1..2' --web -o signs.json --json
json .library 'b#c.reprise'; json '.matches[0].clip' 'm@1..2 "x" ü/é'
run 0 space build 'a #1/b#c.reprise' --from signs.json 'm@1..2 "x" ü/é@0.9..2' -p right_wrist.y@hit --samples 0 --no-thin --json; json .examples 4
# A library of others.
run 0 perform walk --seconds 2 -o walk.bvh; run 0 library add walks.reprise walk.bvh
run 3 space build walks.reprise --from good.json -p right_wrist.y@hit; tells "is not in the library"

# Outputs that cannot be written; what is read is not written over.
run 2 space find "$query" -o moves.reprise; tells "its name should end in .json"
cp anew.json input.json
run 2 space make moves.reprise --name punch --at 1.3 -o moves.reprise
ln -sf moves.reprise link.json
run 2 space find "$query" -o link.json; tells "is one of the inputs"
run 0 library check moves.reprise
if [ -w /dev/full ]; then
	for words in "space find $query" "space list moves.reprise" "space info moves.reprise --name punch --json"; do
		code=0
		# shellcheck disable=SC2086
		"$REPRISE" $words > /dev/full 2> .err || code=$?
		[ $code -eq 1 ] || fail "$words > /dev/full exited with $code"
		tells "cannot write to standard output"
	done
fi
