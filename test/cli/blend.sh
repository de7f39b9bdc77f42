# blend: clips of one action mixed; schemes, weights, ends; what goes wrong.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --speed 1.0 --seconds 4 --fps 120 -o slow.bvh
run 0 perform walk --speed 1.8 --seconds 4 --fps 120 -o fast.bvh
run 0 perform walk --speed 1.3 --turn 25 --seconds 4 --fps 120 -o curve.bvh
run 0 perform run --speed 2.5 --seconds 3 --fps 120 -o jog.bvh
run 0 perform run --speed 4 --seconds 3 --fps 120 -o run.bvh
run 0 perform walk --seconds 4 --fps 60 --stature 1.6 -o small.bvh

# The report, and what is written.
run 0 blend slow.bvh fast.bvh --weights 0.3,0.7 -o out.bvh --json; silent
json .schema reprise-blend-1
json .scheme physical; json .reason ""; json .ends free; json .flights 0; json .locked true
holds '.phases > 8 and .velocity_jump_m_per_s < 0.02 and .foot_miss_mm < 0.5 and .warnings == []'
holds '.clips | length == 2 and .[0].clip == "slow.bvh" and .[0].weight == 0.3 and .[1].weight == 0.7'
holds '.clips[1] | .end_s > .start_s and .distance_m > 0 and .distance_m < 0.3'
json .output.file out.bvh; json .output.fps 120.0
run 0 info out.bvh --json
holds '.clips[0] | [.labels[].name] | index("walk")'
holds '[.provenance.inputs[].name] | index("slow.bvh") and index("fast.bvh")'
run 0 evaluate out.bvh --json
holds '.slide_mm_max < 1 and .penetration_mm_max < 20'

# Flights fall as they must, feet that rest do; by the plain scheme they slide more.
run 0 blend jog.bvh run.bvh -o r.bvh --json; json .scheme physical; holds '.flights > 3 and .velocity_jump_m_per_s < 0.1'
run 0 evaluate r.bvh --json; holds '.flight_gravity_error < 0.01 and .slide_mm_median < 0.1 and .slide_mm_max < 1'
run 0 blend jog.bvh run.bvh -o p.bvh --scheme plain --ends free --no-lock --json; json .scheme plain; json .phases 0; json .locked false; holds '.warnings == []'
run 0 evaluate p.bvh --json; holds '.slide_mm_median > 0.1'

# For people.
run 0 blend slow.bvh fast.bvh -o out.bvh; says "frames at 120 fps"; says "physical scheme:"; says "phases"
run 0 blend slow.bvh fast.bvh -o out.bvh --quiet; mute; silent
run 0 blend slow.bvh fast.bvh -o out.bvh --ends whole --lock; says "plain scheme"; says "feet locked"; tells "no phases are known"

# Three of them; all of one; another rate; clips of a library.
run 0 blend slow.bvh fast.bvh curve.bvh --weights 1,1,2 --ends free -o three.bvh --json; holds '.clips[2].weight == 0.5'
run 0 blend slow.bvh slow.bvh --weights 0,1 -o same.bvh --json; json .output.frames 481
run 0 blend slow.bvh fast.bvh -o rate.bvh --fps 30 --json; json .output.fps 30.0
run 0 library add lib.reprise slow.bvh fast.bvh
run 0 blend 'lib.reprise#slow@0.5..3.5' 'lib.reprise#fast' -o lib.bvh --json; holds '.output.frames > 100'
run 0 blend slow.bvh fast.bvh -o out.glb

# Contacts that nobody stored are found.
rm -f slow.json fast.json
run 0 blend slow.bvh fast.bvh -o found.bvh --json
run 0 info found.bvh --json; holds '.clips[0] | .contacts > 6'

# What goes wrong.
run 2 blend slow.bvh -o x.bvh; absent x.bvh
run 2 blend slow.bvh fast.bvh --weights 1 -o x.bvh; tells "--weights needs 2 numbers"
run 2 blend slow.bvh fast.bvh --weights 1,2,3 -o x.bvh; tells "--weights needs 2 numbers"
run 2 blend slow.bvh fast.bvh --weights 1,-1 -o x.bvh; tells "--weights"
run 2 blend slow.bvh fast.bvh --weights 0,0 -o x.bvh; tells "not all 0"
run 2 blend slow.bvh fast.bvh --weights 1,x -o x.bvh; tells "--weights"
run 2 blend slow.bvh fast.bvh --scheme best -o x.bvh; tells "--scheme"
run 2 blend slow.bvh small.bvh -o x.bvh; tells "another skeleton"; tells "convert"; absent x.bvh
run 2 blend slow.bvh fast.bvh -o slow.bvh; tells "is one of the inputs"
run 3 blend slow.bvh gone.bvh -o x.bvh; tells "gone.bvh"

# The same again gives the same bytes.
run 0 blend jog.bvh run.bvh -o one.bvh; cp one.bvh one.keep; cp one.json one.json.keep
run 0 blend jog.bvh run.bvh -o one.bvh; cmp one.bvh one.keep; cmp one.json one.json.keep
