# metric: examples are generated, weights fitted, kept, shown, checked and used; what goes wrong.
source "$(dirname "$0")/lib/common.bash"

for clip in walk:1 walk:2 run:3 run:4 dance:5 gesture:6; do
	run 0 perform "${clip%:*}" --seconds 6 --fps 60 --seed "${clip#*:}" -o clip.bvh
	run 0 library add moves.reprise clip.bvh --name "${clip%:*}-${clip#*:}"
done

# Examples: as many as in the thesis, the same for the same seed.
run 0 metric examples moves.reprise -o examples.csv; says "examples.csv: 16 good and 26 bad examples of 6 clips"; silent
[ "$(grep -c ',good$' examples.csv)" -eq 16 ] && [ "$(grep -c ',bad$' examples.csv)" -eq 26 ] || fail "counts"
[ "$(head -1 examples.csv)" = "clip_a,a_s,clip_b,b_s,verdict" ] || fail "heading"
for kind in walk run dance gesture; do
	grep -q "^$kind" examples.csv || fail "no example of $kind"
done
run 0 metric examples moves.reprise -o again.csv --json; cmp examples.csv again.csv
json .schema reprise-metric-examples-1; json .good 16; json .bad 26; json .clips 6; json .output again.csv
run 0 metric examples moves.reprise -o other.csv --seed 1; ! cmp -s examples.csv other.csv || fail "the seed does nothing"
run 0 metric examples moves.reprise walk-1 walk-2 -o walks.csv --good 60 --bad 90
! grep -qE 'run|dance|gesture' walks.csv || fail "examples of clips that were not named"

# The fit.
run 0 metric fit examples.csv moves.reprise --name mine --json
json .schema reprise-metric-fit-1; json .name mine; json .good 16; json .bad 26; json .fps 30.0
holds '.weights | length == 13 and all(.weight >= 0)'
holds '[.weights[].name] | index("hip") and index("knee") and index("shoulder") and index("elbow") and index("tilt")'
holds '[.weights[] | select(.name == "knee") | .joints[]] == ["LeftLeg", "RightLeg"]'
holds '[.weights[] | .relative // empty] | max == 1'
holds '.residual_rms > 0 and .residual_rms < 0.5 and .good_mean < 0.3 and .bad_mean > 0.5'
holds '.cross_validation | .cases == 42 and .shift_frames_median == 0 and .near.shift_frames_median == 0'
holds '.cross_validation | .tied_shift_frames_mean < 1 and .regret_mean < 0.02'
holds '.time_s < 30 and (.provenance.inputs | length) >= 4'
run 0 metric fit examples.csv moves.reprise --name quick --no-validate --quiet; mute; silent
run 0 metric fit examples.csv moves.reprise --name mine --no-validate; says "weight of"; says "velocities weigh 0.004"
run 0 metric fit examples.csv moves.reprise --name wangs --evenness 0 --two-sided --no-validate --json
holds '[.weights[] | select(.weight == 0)] | length >= 3' # as in the thesis, most vanish
run 2 metric fit examples.csv moves.reprise --name x --evenness -1; tells evenness
run 0 metric fit walks.csv moves.reprise --name walks --velocity auto --root --joints all --unseen run-3 --unseen run-4 --json
holds '.weights | map(.name) | index("height") and index("travel")'
holds '.cross_validation.unseen.cases == 150'
run 0 metric fit walks.csv moves.reprise --name walks --unseen walk-1 --json
holds '.warnings | map(select(contains("is not unseen"))) | length == 1'

# Gestures say nothing about legs.
run 0 metric examples moves.reprise gesture-6 -o arms.csv
run 0 metric fit arms.csv moves.reprise --name arms --no-validate
tells "the examples do not determine the weight of:"

# What is kept.
run 0 metric info moves.reprise; says mine; says quick; says walks
run 0 metric info moves.reprise --json; holds '.metrics == ["arms", "mine", "quick", "walks", "wangs"]'
run 0 metric info moves.reprise --name mine; says "knee"; says "from 16 good and 26 bad examples"
run 0 metric info moves.reprise --name mine --json; json .name mine; holds '.weights | length == 13'

# Used wherever a metric is: by name in the clips' library, or of another.
run 0 compare 'moves.reprise#walk-1' 'moves.reprise#run-3' --metric mine --json; json .metric mine
holds '(.minima | length) > 0 and (.minima | all(has("distance")))'
cp .out by-name.json
run 0 perform walk --seconds 3 --fps 60 --seed 9 -o free.bvh
run 0 compare free.bvh free.bvh --metric moves.reprise#mine --json; json .metric mine
for metric in lee wang even cloud angle; do
	run 0 compare free.bvh free.bvh --metric $metric --json; json .metric $metric
done
run 0 align 'moves.reprise#walk-1@1..3' 'moves.reprise#walk-2@1..3' -o aligned.bvh --metric mine --json
json .metric mine; holds 'has("distance") and (has("distance_m") | not)'
run 0 align 'moves.reprise#walk-1@1..3' 'moves.reprise#walk-2@1..3' -o cloudy.bvh --json; json .metric cloud
run 0 transition 'moves.reprise#walk-1' 'moves.reprise#run-3' -o over.bvh --metric mine --json; cp .out mine.json
run 0 transition 'moves.reprise#walk-1' 'moves.reprise#run-3' -o over.bvh --json
[ "$(jq -c '[.from_s, .to_s]' .out)" != "$(jq -c '[.from_s, .to_s]' mine.json)" ] || fail "the metric chooses nothing"
run 0 transition 'moves.reprise#walk-1@2' 'moves.reprise#run-3@2' -o over.bvh --metric mine --json
holds '(.curve.joints | length) > 0' # its weights are those of the length
run 0 graph build moves.reprise walk-1 walk-2 run-3 run-4 --metric mine --name by-mine --json
holds '.transitions > 0'; mine=$(jq -c '[.minima, .transitions]' .out)
# Distances of angles are no lengths.
holds '(.thresholds[0] | has("threshold") and (has("threshold_m") | not)) and ([.connectivity[].threshold] | max > 0.5)'
run 0 graph build moves.reprise walk-1 walk-2 --metric mine --name by-mine-2 --csv table.csv; says "transitions"
! grep -q ' cm ' .out || fail "angles in centimetres"
[ "$(head -1 table.csv)" = from,to,threshold,transitions,share,chosen ] || fail "a table of metres"
run 0 graph build moves.reprise walk-1 walk-2 run-3 run-4 --metric walks --name by-walks --json
holds '.pairs_compared > 0'
[ "$(jq -c '[.minima, .transitions]' .out)" != "$mine" ] || fail "another metric gives the same graph"
run 0 graph walk moves.reprise --name by-mine --seconds 5 -o walk.bvh
run 0 graph walk moves.reprise --name by-mine --seconds 5 --sigma 0.05 -o smooth.bvh; exists smooth.bvh

# Checked by the clips' own contacts.
run 0 metric check moves.reprise walk-1 walk-2 run-3 run-4 --metric mine --metric walks --json
holds '[.metrics[].metric] == ["even", "lee", "wang", "cloud", "mine", "walks"]'
holds '.metrics | all(.moments > 500 and .phase_frames < 6 and .late_share < 0.6 and .wrong_foot_share < 0.2)'
holds '[.metrics[] | has("against_even")] == [false, false, false, false, true, true]'
holds '.metrics[4] | .phase_frames - .even.phase_frames - .against_even.phase_frames.value | fabs < 1e-4'
holds '.metrics[4].against_even | all(.low <= .value and .value <= .high)'
run 0 metric check moves.reprise walk-1 walk-2 --metric mine; says "wrong foot"; says "mine against even weights"
run 2 metric check moves.reprise gesture-6; tells "no two of the clips have steps by turns"

# What goes wrong.
run 2 metric fit examples.csv moves.reprise; tells "under which name"
run 3 metric fit none.csv moves.reprise --name x; tells "none.csv: cannot read it: No such file or directory"
run 3 metric fit . moves.reprise --name x; tells "cannot read it: Is a directory"
for name in cloud angle lee wang even; do
	run 2 metric fit examples.csv moves.reprise --name $name; tells "\"$name\" is a metric of Reprise's own"
done
run 2 metric examples moves.reprise -o empty.csv --good 0 --bad 0; tells "leaves no examples"; absent empty.csv
run 3 metric fit examples.csv none.reprise --name x
printf 'walk-1,1,walk-9,2,good\n' > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells "wrong.csv:1:10:"; tells "walk-9"
printf '# mine\nwalk-1,1,run-3,2\n' > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells "wrong.csv:2:17: the line has 4 fields; 5 are needed"
printf 'walk-1,1,run-3,2,well\n' > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells 'wrong.csv:1:18: "well" is neither good nor bad'
sed 's/^\(run-[34]\),[0-9.]*/\1,60/' examples.csv > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells "is at 60 s of"; tells "wrong.csv:"
head -10 examples.csv > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells "9 good and 0 bad examples; some of both are needed"
{ head -6 examples.csv; tail -6 examples.csv; } > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells "11 examples do not determine 13 weights"
{ cat examples.csv; sed -n 2p examples.csv | sed 's/good/bad/'; } > wrong.csv
run 3 metric fit wrong.csv moves.reprise --name x; tells "wrong.csv:44:1: this contradicts line 2"
: > wrong.csv
run 2 metric fit wrong.csv moves.reprise --name x; tells "holds no examples"
run 3 metric info moves.reprise --name x; tells 'no metric "x"'
run 3 compare 'moves.reprise#walk-1' 'moves.reprise#run-3' --metric your; tells 'no metric "your"'; tells "there are: arms, mine"
run 2 compare free.bvh free.bvh --metric mine; tells 'there is no metric "mine"'
run 4 metric examples moves.reprise gesture-6 -o many.csv --good 90000; tells "examples; 90000 were asked for"
absent many.csv
run 3 metric examples moves.reprise walk-7 -o no.csv; tells "walk-7"
run 0 perform walk --seconds 3 --stature 1.5 -o small.bvh
run 0 library add moves.reprise small.bvh --name small
run 2 metric examples moves.reprise -o no.csv; tells "have different skeletons"

# Marked on captured motion: contacts are found.
if has_capture; then
	for file in "$REPRISE_MOCAP"/cmu/*/16_1[5-8].bvh; do
		run 0 library add captured.reprise "$file" --label walk
	done
	run 0 metric examples captured.reprise -o captured.csv --good 40 --bad 60
	run 0 metric fit captured.csv captured.reprise --name captured --json
	holds '.good_mean < 0.4 and .bad_mean > 0.4 and .cross_validation.cases > 0'
fi
