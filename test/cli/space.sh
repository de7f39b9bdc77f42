# space: matches found, a space built of them, told about, motions made of it, listed and removed; shapes of the reports.
source "$(dirname "$0")/lib/common.bash"

for side in -0.1 0 0.1; do
	for height in 1.2 1.35 1.5; do
		run 0 perform punch --side $side --height $height --reach 0.75 --fps 60 -o "punch$side-$height.bvh"
	done
done
run 0 perform walk --seconds 3 --fps 60 -o walk.bvh
run 0 perform punch --stature 1.5 --height 1.2 --reach 0.65 --fps 60 -o small.bvh
run 0 library add moves.reprise punch*.bvh walk.bvh

# All nine punches, and nothing of the walk, in the order of their distance.
query="moves.reprise#punch0-1.35@1..2"
run 0 space find "$query" -o punches.json --picture punches.svg; silent
says "8 matches of the query in 10 clips"; says ", from the gap"; says "hardly anything is new from"
says "punches.json: 9 matches"
grep -q '<svg' punches.svg || fail "no picture"
run 0 space find "$query" -o again.json --json; silent
json .schema reprise-space-find-1; json .library moves.reprise; json .threshold_from gap; json .clips 10
json .clips_of_other_skeletons 0; json .from_web false; json .output again.json; json '.matches | length' 9
holds '.gap_m[0] < .threshold_m and .threshold_m <= .gap_m[1] and .searches >= 9 and .time_s >= 0 and (has("web") | not)'
holds '.matches[0] | .clip == "punch0-1.35" and .parent == null and .distance_m == 0 and .start_s == 1 and .end_s == 2'
holds '[.matches[1:][].clip | startswith("punch")] | all'
holds '[.matches[] | .farthest_m] | . == sort'
holds '.matches | to_entries | all(.value.number == .key and .value.keep and (.value.mirror | not) and (.value | has("times_s") | not))'
holds '.matches[1:] | to_entries | all(.value.parent <= .key)'
jq -e '.schema == "reprise-matches-1" and (.provenance.command | length > 0) and (.matches | all(.times_s[0][1] == .start_s and .times_s[-1][1] == .end_s))' punches.json > .out ||
	fail "the file is another"
# The same for one thread and for two, with a web and without.
plain() { jq -S 'del(.provenance)' "$1"; }
OMP_NUM_THREADS=1 run 0 space find "$query" -o one.json -q
run 0 space find "$query" -o web.json --web --json
json .from_web true; json .web.pairs 100; json .web.new_pairs 100; holds '.web.mb > 0 and .web.time_s > 0'
run 0 space find "$query" -o known.json --json; json .from_web true
for file in again one web known; do
	[ "$(plain $file.json)" = "$(plain punches.json)" ] || fail "$file.json has other matches"
done
run 0 space find "$query" --web; says "100 pairs of clips, 0 of them new"
run 0 library check moves.reprise; silent
# Fewer: from the query alone, within a threshold; mirror images are other clips.
run 0 space find "$query" --once --threshold 0.017 --json; json .threshold_from given; holds ".gap_m == null"
holds '(.matches | length) > 1 and (.matches | length) < 9 and ([.matches[1:][].parent] | unique) == [0]'
run 0 space find "$query" --mirror --threshold 0.05 --json; json .from_web false; json '.matches | length' 9
run 0 space find "$query" --threshold 0.0001; tells "nothing else matches it within 0.0001 m"; says "0 matches of the query"
run 0 space find "$query" --threshold auto -q; silent
# Angles have no unit.
run 0 space find "$query" --metric angle -o angles.json --json
holds '.matches[1] | .distance > 0 and (has("distance_m") | not)'; holds 'has("threshold") and (has("threshold_m") | not)'

# A space of them.
run 0 space build moves.reprise --from punches.json -p right_wrist@hit --samples 60 --name punch; silent
says "punch: 9 examples, "; says "right_wrist.y@hit"; says "of the tolerance on the average"
run 0 space build moves.reprise --from punches.json -p right_wrist@hit --name punch --json; silent
json .schema reprise-space-build-1; json .name punch; json .features right_wrist@hit; json .clips 9; json .examples 9
json .registrations 8; holds '.samples > 50 and .miss_mean < 0.5 and .miss_p95 < 1.5 and .miss_mean <= .miss_before and .physical > 0 and .plain == 0'
holds '.ranges | keys == ["right_wrist_x_hit_m", "right_wrist_y_hit_m", "right_wrist_z_hit_m"]'
holds '.ranges.right_wrist_y_hit_m | .[0] > 1.15 and .[0] < 1.25 and .[1] > 1.42 and .[1] < 1.5'
holds '.roughness > 0 and .roughness < 1 and .build_seconds > 0'
cp .out built
OMP_NUM_THREADS=1 run 0 space build moves.reprise --from punches.json -p right_wrist@hit --name other --json
[ "$(jq 'del(.build_seconds, .name, .provenance)' built)" = "$(jq 'del(.build_seconds, .name, .provenance)' .out)" ] || fail "one thread builds another space"
run 0 space build moves.reprise --from angles.json -p right_wrist@hit --samples 0 --name angles --json; json .examples 9; json .samples 9; json .miss_p95 0
# Chosen ones: by number, and by "keep" in the file, which may have been through an editor that marks UTF-8.
run 0 space build moves.reprise --from punches.json --keep 0,1,2,3 --drop 1 -p right_wrist@hit --samples 0 --name some --json
json .examples 3
{ printf '\xef\xbb\xbf'; jq '.matches[4:][].keep = false' punches.json; } > four.json
run 0 space build moves.reprise --from four.json -p right_wrist@hit --samples 0 --name four --json; json .examples 4
# Clips by name; whole ones and stretches; frames and seconds.
run 0 space build moves.reprise punch0-1.2 punch0-1.5@..3 punch0-1.35@0f..180f -p right_wrist.y@hit --name typed --json
json .examples 3; json .clips 3
run 0 space build moves.reprise --from four.json punch0.1-1.5@1..2 -p right_wrist@hit --name both --samples 0 --json
json .examples 5; json .samples 5
# Mirror images, whose right wrist is the left one.
run 0 space build moves.reprise punch0-1.2@1..2 punch0-1.5~@1..2 punch0.1-1.5~@1..2 -p left_wrist.y@end --no-thin --samples 0 --name mirrored --json
json .examples 3
run 0 space info moves.reprise --name mirrored --json; holds '[.examples[].clip] == ["punch0-1.2", "punch0-1.5~", "punch0.1-1.5~"]'
run 0 space remove moves.reprise --name mirrored
# A name may be anything.
run 0 space build moves.reprise --from four.json -p right_wrist@hit --name 'my punch/1 ü' --samples 0
run 0 space info moves.reprise --name 'my punch/1 ü'; says "my punch/1 ü: 4 examples"

# Seen.
run 0 space picture moves.reprise --name punch -o punch.png; says punch.png
[ "$(head -c 4 punch.png | tail -c 3)" = PNG ] || fail "no picture"
run 0 space picture moves.reprise --name punch -o maps.svg --no-motions --json
json .schema reprise-space-picture-1; json .name punch; json .output maps.svg
grep -q '<svg' maps.svg || fail "no picture"
run 2 space picture moves.reprise --name punch -o x.bmp; tells ".png .svg"; absent x.bmp
run 2 space picture moves.reprise --name punch; tells "needs -o"
run 3 space picture moves.reprise --name nosuch -o x.png; tells 'no space "nosuch"'; absent x.png

# What it covers.
run 0 space info moves.reprise --name punch; says "punch: 9 examples of 9 clips"; says "roughness"; says "explain"
run 0 space info moves.reprise --name punch --json
json .schema reprise-space-info-1; json .features right_wrist@hit; json '.examples | length' 9
holds '.parameters | map(.name) == ["right_wrist.x@hit", "right_wrist.y@hit", "right_wrist.z@hit"] and all(.unit == "m" and .low < .high)'
holds '.examples[0] | .parent == -1 and .distance_m == 0 and .from_s == 1 and .to_s == 2 and (.values | length) == 3'
holds '.examples[1:] | all(.parent >= 0 and .distance_m > 0)'
holds '.explained | length > 5 and all(has("name") and has("unit") and .low <= .high) and ([.[].explained] | . == (sort | reverse))'
holds '[.explained[].name] | index("right_wrist.y@hit") < 12'

# Motions of it: an example's own parameters, a place between, one outside.
at=$(jq -r '.examples[3].values | to_entries | map(.value) | join(",")' .out)
example=$(jq -r '.examples[3].clip' .out)
run 0 space make moves.reprise --name punch --at "$at" -o same.bvh --json; silent
json .schema reprise-space-make-1; holds ".examples | length == 1 and .[0].clip == \"$example\" and .[0].weight > 0.999"
run 0 space make moves.reprise --name punch --at '0.24, 1.3, 0.6' -o between.bvh --json
holds '(.examples | length) > 1 and ([.examples[].weight] | add | (. > 0.9999 and . < 1.0001)) and .scheme == "physical"'
holds '[.achieved, .nearest] | map(to_entries | map(.value)) | transpose | all((.[0] - .[1]) | fabs < 0.01)'
holds '.output | .file == "between.bvh" and .fps == 60 and .seconds > 0.9'
run 0 evaluate between.bvh --limits default
# What it is made of: the files, for evaluate to compare with, and the stretches.
run 0 evaluate between.bvh --reference moves.reprise --json; holds '.references | length > 1'
jq -e '(.provenance.inputs | length > 1 and all(.hash | length == 32)) and (.sources | length > 1 and all((.clip | startswith("punch")) and
	.clip_start_s > 0.9 and .clip_end_s < 2.3 and .start_s == 0))' between.json > .out || fail "it does not say what it is made of"
run 0 info between.bvh --json; holds '.clips[0].contacts | length > 0'
grep -q '"name": "hit"' between.json || fail "the hit is not among its events"
run 0 space make moves.reprise --name punch --at 9,9,9 -o outside.bvh
tells "the space does not reach that; the nearest that it has: right_wrist.x@hit"; says "asked for right_wrist.x@hit 9.000 m"
run 0 space make moves.reprise --name punch --at 9,9,9 -o outside.bvh --json
holds '.error > 1 and .requested.right_wrist_x_hit_m == 9 and .nearest.right_wrist_x_hit_m < 0.4 and (.warnings | length) == 1'
run 0 space make moves.reprise --name punch --at=-1,1.3,0.6 --fps 30 -o left.glb --json; json .output.fps 30
OMP_NUM_THREADS=1 run 0 space make moves.reprise --name punch --at '0.24,1.3,0.6' -o one-thread.bvh
cmp between.bvh one-thread.bvh || fail "the same request makes another motion"
# The performer's own spaces, by formula.
run 0 space make performer:walk --at 1.2,20 -o walked.bvh --json
json .scheme procedural; holds '.requested == .nearest and .requested.speed_m_per_s == 1.2 and .requested.turn_deg_per_s == 20'
run 0 space make performer:punch --at 9,9,9 -o far.bvh; tells "the nearest that it has: height 1.600 m"
run 2 space make performer:stand --at 1 -o x.bvh; tells "stand has no parameters"
run 2 space make performer:nosuch --at 1 -o x.bvh; tells 'no act "nosuch"'
run 2 space make performer:walk --at 1 -o x.bvh; tells "--at needs 2 numbers"; tells "speed (0.6 to 2.2 m/s)"; absent x.bvh

run 0 space info performer:punch; says "performer:punch: a space by formula"; says "1.100 to 1.600 m"
run 0 space info performer:walk --json; json .name performer:walk; holds '[.parameters[].name] == ["speed", "turn"] and .parameters[0].low == 0.6'
run 2 space info performer:nosuch; tells 'no act "nosuch"'
run 2 space picture performer:punch -o x.png; tells "a space by formula, without examples"; absent x.png

# Listed and removed: all that are named or none.
run 0 space list moves.reprise; silent; says "right_wrist@hit"; says "my punch/1 ü"
run 0 space list moves.reprise --json; json .schema reprise-space-list-1
holds '.spaces | map(.name) == ["angles", "both", "four", "my punch/1 ü", "other", "punch", "some", "typed"]'
holds '.spaces | all(.bytes > 0 and .problem == null and .examples <= .samples and .clips <= .examples)'
run 3 space remove moves.reprise --name four --name nosuch; tells 'no space "nosuch"'
run 3 space remove moves.reprise; tells 'no space "space"'; tells "there are: angles"
run 0 space remove moves.reprise --name four --name both; says "removed the space four"
run 0 space remove moves.reprise --name 'my punch/1 ü' --json; json '.removed | length' 1; holds '.library_bytes > 0'
run 0 space list moves.reprise --json; json '.spaces | length' 5
run 0 library show moves.reprise; says 'space model "punch"'; says "what space find remembers"
run 0 library show moves.reprise --json; holds '[.models[] | select(.kind == "space") | .name] | length == 5'

# ---- what is refused

# The query.
run 2 space find; tells "usage"
run 2 space find moves.reprise; tells "which clip of moves.reprise?"
run 2 space find punch0-1.35.bvh@1..2; tells "is a file"; tells "library add"
run 3 space find 'moves.reprise#nosuch@1..2'; tells 'no clip "nosuch"'
run 2 space find 'moves.reprise#punch0-1.35@1'; tells "is a moment"; tells "@1.5..2.7"
run 2 space find 'moves.reprise#punch0-1.35@2..1'; tells "ends before it starts"
run 2 space find 'moves.reprise#punch0-1.35@1..99'; tells "lasts 3.400 s"
run 2 space find 'moves.reprise#punch0-1.35@1..1.1'; tells "it must be 0.2 to 30 s"; tells "LIB#CLIP@"
run 2 space find "$query" --threshold 0; tells "a number of metres, or auto"
run 2 space find "$query" --threshold nan; tells 'not "nan"'
run 2 space find "$query" -o matches.csv; tells "its name should end in .json"
run 2 space find "$query" --picture x.bmp; tells ".png or .svg"; absent x.bmp
run 1 space find "$query" -o nowhere/m.json; tells "mkdir -p nowhere/"
run 3 space find "$query" --metric nosuch; tells 'no metric "nosuch"'

# Parameters.
build() { local code=$1; shift; run "$code" space build moves.reprise "$@" --name refused; }
build 2 --from punches.json; tells "--parameters says what tells the motions"
build 2 --from punches.json -p ''; tells "a space without parameters"
build 2 --from punches.json -p right_wrst@hit; tells 'did you mean "right_wrist"?'
build 2 --from punches.json -p turn,,speed; tells "expected a feature"
build 5 --from punches.json -p right_wrist@hit,left_wrist@hit,head.y@hit; tells "more than 6 numbers"
# A feature without its event: said with the seconds of the take, a few of them, all to programs; what there is instead.
build 4 --from punches.json -p right_wrist@touch
tells 'no_feature: "punch0-1.35" has no event "touch" from 1.000 to 2.000 s: it is left out; it has'; tells "no_feature: 4 more like that"
tells "of the examples 0 are left; a space needs two or more"; tells '9 are left out: "punch0-1.35" has no event'
[ "$(grep -c no_feature .err)" -eq 6 ] || fail "too much is said"
build 4 --from punches.json -p right_wrist@touch --json
holds '.error.hint | startswith("9 are left out: \"punch0-1.35\" has no event")'
build 0 --from punches.json -p right_wrist.y@hit --samples 0 --json; holds '.warnings | length == 6 and all(startswith("redundant: "))'
run 0 help features; says "right_wrist@hit"

# Examples: one, the same twice, of one value, of two bodies; without ends.
build 2 -p turn; tells "there are no examples"
build 4 punch0-1.35 -p right_wrist@hit; tells "of the examples 1 is left"; tells "space find"
build 4 punch0-1.35 punch0-1.35 -p right_wrist@hit; tells 'redundant: "punch0-1.35" from 0.00 to 3.40 s does what'
build 0 punch0-1.35 punch0-1.35 -p right_wrist.y@hit --no-thin; tells "flat: right_wrist.y@hit is 1.333 to 1.333 m in all of the space"
run 0 space make moves.reprise --name refused --at 1.5 -o flat.bvh; tells "the space does not reach that"; says "it has right_wrist.y@hit 1.333 m"
run 0 library add bodies.reprise punch0-1.35.bvh small.bvh
run 2 space build bodies.reprise small punch0-1.35 -p right_wrist@hit; tells "another skeleton"; tells "convert --onto"
run 0 space find 'bodies.reprise#small@1..2'; tells "1 clip of another skeleton is not searched"; tells "nothing else matches it"
run 3 space list nosuch.reprise; run 0 space list bodies.reprise; tells "the library has no space"
build 3 nosuch punch0-1.2 -p duration; tells 'no clip "nosuch"'
build 2 punch0-1.35@1 punch0-1.2 -p duration; tells "punch0-1.35@1 is a moment"
build 2 punch0-1.35@1..99 punch0-1.2 -p duration; tells "punch0-1.35@1..99 lies outside of its clip, which lasts 3.400 s"
build 2 punch0-1.35@2..1 punch0-1.2 -p duration; tells "ends before it starts"
build 2 punch0-1.35@1..1.05 punch0-1.2 -p duration; tells '"punch0-1.35", which lasts 3.400 s; it must be inside of that, and 0.1 s long'
build 2 --from punches.json -p duration --margin nan; build 2 --from punches.json -p duration --samples -1
build 2 punch0-1.35 --keep 1 -p duration; tells "--keep and --drop are about the matches of --from"
build 2 --from punches.json --keep 1,9 -p duration; tells "numbers of matches from 0 to 8"
jq '.matches[].keep = false' punches.json > none.json
build 2 --from none.json -p duration; tells "of the 9 matches of none.json none is kept"
# A stride half a cycle off, and one that touches the ground otherwise.
run 0 library add moves.reprise small.bvh
run 0 perform walk --seconds 5 --turn 20 --fps 60 -o turned.bvh; run 0 library add moves.reprise turned.bvh
strides() { jq -r "[.events[] | select(.name == \"heel_strike_$2\") | .time_s | select(. > 1)][:2] | join(\"..\")" "$1.json"; }
build 4 "walk@$(strides walk left)" "turned@$(strides turned right)" -p speed; tells "half a cycle off"
build 0 "walk@$(strides walk left)" "turned@$(strides turned left)" -p turn --samples 0

# Values.
make() { run 2 space make moves.reprise --name punch -o x.bvh "$@"; absent x.bvh; }
make; tells "what should it do? --at needs 3 numbers"; tells "right_wrist.y@hit (1.2 to 1.46 m)"
make --at 1; tells 'separated by commas, not "1"'
make --at 1,2,3,4; make --at 1,nan,3; make --at 1,2,; make --at inf,1,1
make --at 1e300,1,1; tells "--at takes numbers from -1e+06 to 1e+06, not 1e+300"
make --at 0.2,1.3,0.6 --fps 0; tells "--fps needs a number from 1"
run 2 space make moves.reprise --name punch --at 0.2,1.3,0.6 -o x.xyz; tells ".bvh .glb .csv"
run 3 space make moves.reprise --at 0.2,1.3,0.6 -o x.bvh; tells 'no space "space"'; tells "there are: angles"; absent x.bvh
run 3 space make punch0-1.35.bvh --at 0.2,1.3,0.6 -o x.bvh; tells "is not a Reprise library"

# Names of other models are theirs.
run 0 graph build moves.reprise walk turned --name paths -q
run 2 space build moves.reprise --from punches.json -p right_wrist@hit --name paths; tells "another kind of model (graph)"
run 3 space info moves.reprise --name paths; run 3 space remove moves.reprise --name paths
run 0 graph info moves.reprise --name paths
run 0 library check moves.reprise; silent
