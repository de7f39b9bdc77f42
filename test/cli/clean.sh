# clean: feet that rest do not slide; the report says so; what cannot be cleaned is reported.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 -o walk.bvh

# Stored contacts: the performer's own.
run 0 clean walk.bvh -o a.bvh --contacts stored --json
json .contact_source stored
holds '.contacts > 8 and .heel_contacts > 2 and .ball_contacts > 2'
holds '.slide_mm_after < 1 and .heel_path_mm_max_after < 1 and .ball_path_mm_max_after < 1'
holds '.knee_deg_per_s_after <= .knee_deg_per_s_before * 1.001'
holds '.stretch_percent == 0 and .stretched_frames == 0 and .root_shift_mm < 10'
json .output.file a.bvh; json .output.frames 241
holds '.provenance.command == "clean" and (.provenance.inputs | length) > 0'
exists a.bvh; exists a.json

# Contacts that are found, in a walk that slides: two walks of different step cross-faded.
run 0 perform walk --seconds 4 --fps 60 --speed 0.9 -o slow.bvh
run 0 transition walk.bvh@2 slow.bvh@2 --blend 1 --no-lock -o mix.bvh
run 0 clean mix.bvh -o b.bvh --json
json .contact_source auto
holds '.contacts > 4 and .slide_mm_before > 5 * .slide_mm_after and .slide_mm_after < 2'
# One definition each: as many contacts as info counts, slides as evaluate measures them.
jq '[.contacts, .slide_mm_before, .slide_mm_after]' .out > told.txt
"$REPRISE" info b.bvh --json > info.txt; "$REPRISE" evaluate mix.bvh --json > before.txt; "$REPRISE" evaluate b.bvh --json > after.txt
jq -es '.[0][0] == .[1].clips[0].contacts and (.[0][1] - .[2].slide_mm_mean | fabs) < 0.01
	and (.[0][2] - .[3].slide_mm_mean | fabs) < 0.01' told.txt info.txt before.txt after.txt > /dev/null || fail "numbers disagree: $(cat told.txt)"
run 0 clean mix.bvh -o b.bvh; says "contacts found"; says "feet locked: they slid by"; says "fastest knee"
run 0 clean mix.bvh -o b.bvh --quiet; mute
# What was found is kept beside the output, and is what evaluate then measures on.
run 0 evaluate b.bvh --json
holds '.slide_mm_mean < 2'
run 0 clean b.bvh -o c.bvh --contacts stored --json
holds '.slide_mm_before < 2'

# Stretches, formats, options.
run 0 clean 'walk.bvh@1..3' -o part.glb --json; json .output.frames 121; exists part.glb
run 0 clean walk.bvh -o p.bvh --stretch 0 --ease 0.1 --no-ground --unit cm --no-sidecar; absent p.json
run 2 clean walk.bvh -o p.bvh --stretch 90; tells "--stretch"
run 2 clean walk.bvh -o p.bvh --stretch x; tells "--stretch"
run 2 clean walk.bvh -o p.bvh --contacts guess; tells "auto"
run 2 clean walk.bvh; tells "-o"
run 2 clean; tells "CLIP"
run 2 clean walk.bvh -o walk.bvh; tells "--force"
run 0 clean walk.bvh -o walk.bvh --force
run 3 clean gone.bvh -o p.bvh; tells "gone.bvh"

# No contacts stored: a warning, and the motion as it was.
run 0 convert slow.bvh -o bare.bvh --no-sidecar
run 0 clean bare.bvh -o same.bvh --contacts stored --json
json .contacts 0
holds '[.warnings[] | select(contains("no_contacts"))] | length == 1'
run 0 convert bare.bvh -o twin.bvh
cmp <(sed -n '/^MOTION/,$p' twin.bvh) <(sed -n '/^MOTION/,$p' same.bvh) || fail "the motion was changed"

# A body without legs.
cat > stick.bvh << 'END'
HIERARCHY
ROOT Stick
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
	End Site
	{
		OFFSET 0 1 0
	}
}
MOTION
Frames: 2
Frame Time: 0.1
0 1 0 0 0 0
0 1 0 0 0 0
END
run 3 clean stick.bvh -o p.bvh --contacts stored; tells "no leg"; tells "hint:"
run 3 clean stick.bvh -o p.bvh --contacts stored --json; json .error.exit 3
