# transition: from one clip over to another, of every kind; moments; what goes wrong.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 -o walk.bvh
run 0 perform run --seconds 4 --fps 60 -o run.bvh
run 0 perform walk --seconds 4 --fps 120 --stature 1.6 -o small.bvh

# The report, and what is written.
run 0 transition walk.bvh@2 run.bvh@1.5 -o out.bvh --blend 0.5 --json
json .schema reprise-transition-1
json .from_s 2.0; json .to_s 1.5; json .blend_s 0.5; json .kind fade; json .align centre
json .start_s 1.75; json .seam_s 2.0; json .end_s 2.25
holds '.distance_m > 0.05 and .distance_m < 0.6 and (.turn_deg | type) == "number" and .method == "fixed"'
holds '(.x_m | type) == "number" and (.z_m | type) == "number"'
json .output.frames 271; json .output.file out.bvh
json .locked true
holds '.slide_mm_after < 0.2 * .slide_mm_before'
grep -q '"seam"' out.json || fail "no seam in the sidecar"
run 0 info out.bvh --json
holds '.clips[0] | [.labels[].name] | index("walk") and index("run")'
holds '[.provenance.inputs[].name] | index("walk.bvh") and index("run.bvh")'

# What no blend hides.
run 0 perform stand --seconds 3 --fps 60 -o stand.bvh
run 0 transition stand.bvh run.bvh -o jolt.bvh; tells "mm apart where they are joined"
run 0 transition walk.bvh walk.bvh -o even.bvh; silent

# For people.
run 0 transition walk.bvh@2 run.bvh@1.5 -o out.bvh --blend 0.5; says "4.50 s, 271 frames at 60 fps"; says "fade of 0.500 s"; says "feet locked"
run 0 transition walk.bvh@2 run.bvh@1.5 -o out.bvh --quiet; mute

# Kinds, lengths, anchors; frames as moments.
for kind in fade linear displace inertial velocity; do
	run 0 transition walk.bvh@120f run.bvh@90f -o $kind.bvh --kind $kind --blend 0.5 --json
	json .kind $kind; json .from_s 2.0; json .output.frames 271
	run 0 evaluate $kind.bvh --reference walk.bvh --reference run.bvh --json
	holds '.seams == 1 and .slide_mm_mean < 5 and .seam_pose_ratio_max < 1.6'
done
! cmp -s fade.bvh displace.bvh || fail "--kind changes nothing"
run 0 transition walk.bvh@2 run.bvh@1.5 -o e.bvh --align ends --blend 0.4 --json
json .align ends; json .start_s 2.0; json .end_s 2.4; json .output.frames 295
run 0 transition walk.bvh@2 run.bvh@1.5 -o cut.bvh --blend 0 --no-lock --json; json .blend_s 0.0; json .locked false
# Without the lock the frames before it are the first clip's own.
run 0 convert walk.bvh -o copy.bvh
cmp <(sed -n '/^Frame Time/,$p' copy.bvh | sed -n 2,100p) <(sed -n '/^Frame Time/,$p' cut.bvh | sed -n 2,100p) || fail "frames before the cut"

# Lengths that are computed: by the rule that suits, or the one that is asked for.
run 0 perform walk --seconds 6 --fps 60 --speed 1.7 --seed 3 -o brisk.bvh
run 0 perform dance --seconds 6 --fps 60 --seed 2 -o dance.bvh
run 0 perform punch --seconds 6 --fps 60 --seed 2 -o punch.bvh
run 0 transition walk.bvh@1.5 brisk.bvh@3 -o auto.bvh --json
json .method geodesic
holds '.blend_s >= 0.1 and .blend_s <= 2 and .cost >= 0 and (.curve.length_s | length) == (.curve.cost | length)'
holds '(.curve.joints | length) == 8 and (.curve.joints | to_entries | all(.value | length > 20))'
run 0 transition punch.bvh@2 dance.bvh@3 -o auto.bvh --json
json .method velocity
holds '(.joint | type) == "string" and .difference_deg > 0 and .speed_deg_per_s > 0 and .blend_s >= 0.1'
run 0 transition punch.bvh@2 dance.bvh@3 -o auto.bvh; says "by the velocity rule"
# The least of the curve, 1 to 60 steps of 1/30 s.
run 0 transition walk.bvh@1.5 brisk.bvh@3 -o geo.bvh --blend geodesic --align ends --json
json .method geodesic; json .align ends
holds '(.curve.length_s | length) == 60 and (.curve.length_s[0] * 30 | round) == 1'
holds '.cost == (.curve.cost | min) and (.blend_s - .curve.length_s[.curve.cost | index(min)] | fabs) < 0.01'
for rule in warp dynamic; do
	run 0 transition walk.bvh@1.5 brisk.bvh@3 -o $rule.bvh --blend $rule --json
	json .method $rule; json .align ends
	holds '.from_blend_s > 0 and .to_blend_s > 0 and .from_blend_s <= 2 * .to_blend_s and .to_blend_s <= 2 * .from_blend_s'
done
run 2 transition walk.bvh@1.5 brisk.bvh@3 -o x.bvh --blend warp --align centre; tells "ends of the blend"
run 2 transition walk.bvh@1.5 brisk.bvh@3 -o x.bvh --blend slow; tells "--blend needs auto, geodesic"

# Moments that are chosen; one is kept when it is given.
run 0 transition walk.bvh brisk.bvh -o chosen.bvh --json
holds '.from_s >= 0.5 and .from_s <= 3.5 and .to_s >= 0.5 and .to_s <= 5.5 and .faults == []'
run 0 transition walk.bvh@2 brisk.bvh -o chosen.bvh --json; json .from_s 2.0
run 0 transition walk.bvh brisk.bvh -o chosen.bvh --align ends --json; json .align ends
run 0 transition walk.bvh walk.bvh -o loop.bvh --json; holds '(.from_s - .to_s | fabs) > 0.4'

# The picture of it.
run 0 transition walk.bvh@1.5 brisk.bvh@3 -o pic.bvh --align ends --picture curve.svg; grep -q "<svg" curve.svg || fail "no picture"
run 0 transition walk.bvh@1.5 brisk.bvh@3 -o pic.bvh --picture curve.png; [ -s curve.png ] || fail "no picture"
run 2 transition walk.bvh@1.5 brisk.bvh@3 -o pic.bvh --picture curve.gif; tells ".png or .svg"

# Joins that no blend does well: on the wrong foot, half a stride away.
run 0 transition walk.bvh@2 walk.bvh@2.55 -o wrong.bvh --blend 0.4 --json
holds '(.faults | index("phase")) != null and (.warnings | any(test("of a stride apart")))'
holds '.better.from_s >= 1.5 and .better.to_s <= 3.05 and (.warnings | any(test("a better place is near by")))'

# A clip of a library; another rate.
run 0 library add lib.reprise walk.bvh run.bvh
run 0 transition 'lib.reprise#walk@2' 'lib.reprise#run@1.5' -o lib.bvh --json; json .output.frames 271
run 0 convert run.bvh -o slow.bvh --fps 30
run 0 transition walk.bvh@2 slow.bvh@1.5 -o rates.bvh --json; json .output.fps 60.0; json .output.frames 271

# Contacts that nobody stored are found.
cp run.bvh plain.bvh
run 0 transition walk.bvh@2 plain.bvh@1.5 -o found.bvh --json; json .locked true
run 0 info found.bvh --json; holds '.clips[0] | .contacts > 10'

# What goes wrong.
run 2 transition walk.bvh@1..2 run.bvh@1 -o x.bvh; tells "walk.bvh: at which moment?"; tells "@1.5"; absent x.bvh
run 2 transition walk.bvh@9 run.bvh@1 -o x.bvh; tells "@9 lies outside walk.bvh, which lasts 4.000 s"
run 2 transition walk.bvh@2 -o x.bvh
run 2 transition walk.bvh@3.9 run.bvh@1 -o x.bvh --blend 0.5; tells "is too short: a blend of 0.500 s at its moment 3.900 s needs 0.133 s more after its end"
tells "displacement"
run 0 transition walk.bvh@3.9 run.bvh@1 -o x.bvh --blend 0.5 --kind displace
run 0 transition walk.bvh@3.9 run.bvh@1 -o x.bvh --json; holds '.blend_s <= 0.2'
run 2 transition walk.bvh@4 run.bvh@1 -o z.bvh; tells "is too short: the shortest blend, 0.100 s, needs 0.050 s more around its moment 4.000 s"; absent z.bvh
run 2 transition walk.bvh@4 run.bvh@1 -o z.bvh --align ends; tells "more after its moment"
run 0 convert walk.bvh@1..1.05 -o blink.bvh
run 2 transition blink.bvh walk.bvh -o z.bvh; tells "too short"
run 2 transition walk.bvh@2 small.bvh@1.5 -o y.bvh; tells "the offsets of joint"; tells "convert --onto"; absent y.bvh
run 2 transition walk.bvh@2 run.bvh@1 -o x.bvh --kind wipe; tells "--kind"
run 2 transition walk.bvh@2 run.bvh@1 -o x.bvh --blend -1; tells "--blend"
run 2 transition walk.bvh@2 run.bvh@1 -o walk.bvh; tells "is one of the inputs"
run 3 transition walk.bvh@2 gone.bvh@1 -o x.bvh; tells "gone.bvh"

# The same again gives the same bytes.
run 0 transition walk.bvh@2 run.bvh@1.5 -o one.bvh; cp one.bvh one.keep; cp one.json one.json.keep
run 0 transition walk.bvh@2 run.bvh@1.5 -o one.bvh; cmp one.bvh one.keep; cmp one.json one.json.keep

if has_capture; then
	a=$(find "$REPRISE_MOCAP/cmu" -name 16_16.bvh); b=$(find "$REPRISE_MOCAP/cmu" -name 16_14.bvh)
	other=$(find "$REPRISE_MOCAP/cmu" -name 35_01.bvh)
	run 0 transition "$a@2" "$b@2.967" -o cmu.bvh --blend 0.5 --quiet --json
	holds '.distance_m < 0.03 and .locked and .slide_mm_after < 0.5 * .slide_mm_before'
	run 2 transition "$a@2" "$other@2" -o x2.bvh --quiet; tells "convert --onto"
fi

# A foot that rests on both sides of the blend for seconds stays where it is over all of that.
run 0 perform punch -o punch.bvh
run 0 perform dance -o dance.bvh
run 0 transition punch.bvh@2 dance.bvh@3 --blend velocity -o rests.bvh
run 0 evaluate rests.bvh --limits default --json
# The other foot lands and leaves within a tenth of a second at the seam.
holds '.slide_mm_max < 9 and .skate_ratio < 0.01'
