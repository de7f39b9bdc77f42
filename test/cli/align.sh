# align: one clip in the time and place of another; the map; what goes wrong.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 --seed 1 -o walk.bvh
run 0 perform walk --seconds 9.5 --fps 60 -o long.bvh
run 0 perform walk --seconds 2 --fps 60 --stature 1.6 -o small.bvh

# A walk at another pace and place comes back.
run 0 convert walk.bvh -o slow.bvh --retime 0.8 --turn 70 --shift 3,-2
run 0 align slow.bvh walk.bvh -o back.bvh --picture map.png --json; silent
json .schema reprise-align-1
json .a_start_s 0.0; json .a_end_s 5.0; json .b_start_s 0.0; json .b_end_s 4.0
json .output.frames 241; json .output.file back.bvh; json .picture map.png
holds '.distance_m < 0.05 and .speed_min > 0.9 and .speed_max < 1.7 and .warnings == []'
holds '[.keys[].a_s] | . == (. | sort | unique)'
holds '[.keys[].b_s] | . == (. | sort | unique)'
holds '.keys | all((.a_s - 1.25 * .b_s) | fabs < 0.06)'
holds '.keys | all((.turn_deg + 70) | fabs < 3)'
holds '.stages | length > 8 and all(.a_end_s > .a_start_s and .b_end_s > .b_start_s)'
holds '[.stages[].contacts[]] | index("left_heel") and index("right_ball")'
exists map.png
run 0 convert walk.bvh -o a.csv --no-sidecar; run 0 convert back.bvh -o b.csv --no-sidecar
awk -F, 'NR==FNR{x[FNR]=$2;z[FNR]=$4;next} FNR>1{d=x[FNR]-$2;e=z[FNR]-$4;if(d*d+e*e>0.15*0.15)exit 1}' a.csv b.csv ||
	fail "the root is not where it was"
run 0 info back.bvh --json
holds '.clips[0] | [.labels[].name] | index("walk")'
holds '[.provenance.inputs[].name] | index("slow.bvh")'

# For people.
run 0 align slow.bvh walk.bvh -o back.bvh; says "241 frames"; says "contacts matched"; silent
run 0 align slow.bvh walk.bvh -o back.bvh --quiet; mute; silent

# Free ends: a part is found in the whole, and the result is as long as that.
run 0 convert walk.bvh -o part.bvh --crop 1..3
run 0 align part.bvh walk.bvh -o found.bvh --free-ends --json
holds '(.a_end_s - .a_start_s) > 1.5'
holds '.keys | all((.b_s - .a_s - 1) | fabs < 0.08)'
holds '((.b_end_s - .b_start_s) - .output.seconds) | fabs < 0.02'
run 0 align walk.bvh part.bvh -o found.bvh --free-ends --json
holds '.keys | all((.a_s - .b_s - 1) | fabs < 0.08)'

# Too long for the slope; a steeper one.
run 0 perform walk --seconds 2 --fps 60 -o short.bvh
run 4 align long.bvh short.bvh -o x.bvh; tells "too long"; tells "leave the ends free"; absent x.bvh
run 0 align long.bvh short.bvh -o x.bvh --slope 6

# What goes wrong.
run 2 align walk.bvh small.bvh -o x.bvh; tells "have different skeletons"; tells "convert small.bvh --onto walk.bvh"
run 2 align walk.bvh short.bvh; tells "-o"
run 2 align walk.bvh short.bvh -o y.bvh --slope 0; tells "--slope"
run 2 align walk.bvh short.bvh -o y.bvh --slope 2.5; tells "whole number"
run 2 align walk.bvh short.bvh -o y.bvh --picture map.gif; tells ".png or .svg"
run 2 align walk.bvh short.bvh -o walk.bvh; tells "is one of the inputs"
run 2 align walk.bvh@1 short.bvh -o y.bvh; tells "single frame"
run 3 align walk.bvh gone.bvh -o y.bvh; tells "gone.bvh"
absent y.bvh

# The same again gives the same bytes.
run 0 align slow.bvh walk.bvh -o one.bvh --picture one.png; cp one.bvh one.keep; cp one.png png.keep
run 0 align slow.bvh walk.bvh -o one.bvh --picture one.png; cmp one.bvh one.keep; cmp one.png png.keep
