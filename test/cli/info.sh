# info: what it says of clips, and how clips are named.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 -o walk.bvh
run 0 perform run --seconds 2 --fps 30 -o run.bvh

run 0 info walk.bvh --json
silent
json .schema reprise-info-1
json .clips[0].file walk.bvh
json .clips[0].frames 241
json .clips[0].fps 60.0
json .clips[0].seconds 4.0
holds '.clips[0] | .seconds == (.frames - 1) / .fps'
holds '.clips[0] | .height_m > 1.6 and .height_m < 1.9'
holds '.clips[0] | .leg_length_m > 0.7 and .leg_length_m < 1.0'
holds '.clips[0] | .mean_speed_m_per_s > 1.2 and .mean_speed_m_per_s < 1.6'
holds '.clips[0] | .path_length_m > 5 and .path_length_m < 6'
holds '.clips[0] | .contacts > 4'
holds '.clips[0] | .labels[0].name == "walk" and .labels[0].start_s == 0'
holds '.clips[0] | .roles.left_knee and .roles.right_ankle and .roles.head and (.roles | length >= 19)'
holds '.clips[0].findings == [] and .warnings == []'
holds '.provenance.version and .provenance.command == "info" and .provenance.parameters.arguments == ["walk.bvh"]'
holds '.provenance.inputs[0].name == "walk.bvh" and (.provenance.inputs[0].hash | test("^[0-9a-f]{32}$"))'
holds '.clips[0] | has("skeleton") | not'

run 0 info walk.bvh --joints --json
holds '.clips[0] | (.skeleton | length) == .joints and .skeleton[0].parent == -1 and (.skeleton[1].offset_m | length) == 3'
run 0 info walk.bvh --joints
says "241 frames at 60 fps"; says '`- '; says left_knee
[ "$(grep -c ' m  \| m$' .out)" -ge 15 ] || fail "the tree is too short"

# Several clips, also when one is bad.
run 0 info walk.bvh run.bvh --json
json '.clips | length' 2
json '.clips[1].fps' 30.0
run 3 info walk.bvh nosuch.bvh run.bvh --json
json '.clips | length' 3
json '.clips[1].error.code' file
json .error.exit 3
run 3 info walk.bvh nosuch.bvh run.bvh
says walk.bvh; says run.bvh; tells "nosuch.bvh: there is no such file"

# No folder of this machine is printed.
mkdir deep; cp walk.bvh walk.json deep/
run 0 info "$PWD/deep/walk.bvh" --json
! grep -qF "$PWD" .out || fail "an absolute path in the report"

# Moments and stretches, in seconds and frames.
check_stretch() { run 0 info "walk.bvh@$1" --json; json .clips[0].frames "$2"; }
check_stretch 1.5 1
check_stretch 1..2 61
check_stretch 1.. 181
check_stretch ..1 61
check_stretch 30f..90f 61
check_stretch 90f 1
check_stretch 30f.. 211
check_stretch ..4 241
check_stretch 0.5..60f 31
run 0 info walk.bvh@1..2 --json
holds '.clips[0] | .labels[0].end_s <= 1.02'
run 2 info walk.bvh@2..9; tells "lasts 4.000 s"; tells "@2.."
run 2 info walk.bvh@9; tells "lies outside"
run 2 info walk.bvh@3..2; tells "ends before it starts"
run 2 info walk.bvh@1..x; tells "is no moment or stretch"
run 2 info walk.bvh@-1..2; tells "is no moment or stretch"
run 2 info walk.bvh@1.5f..2; tells "is no moment or stretch"

# A file that has such a name wins.
cp walk.bvh 'odd@1..2'.bvh; cp walk.bvh 'odd#1.bvh'; cp run.bvh 'walk.bvh@0..1'
run 0 info 'odd@1..2.bvh' --json; json .clips[0].frames 241
run 0 info 'odd@1..2.bvh@1..2' --json; json .clips[0].frames 61
run 0 info 'odd#1.bvh' --json; json .clips[0].frames 241
rm 'walk.bvh@0..1'

# Files that are not there, or no clips.
ln -s nowhere.bvh walkk.bvh
run 3 info walkk.bvh; tells "walkk.bvh: this link leads to no file"; rm walkk.bvh
run 3 info wlak.bvh; tells "wlak.bvh: there is no such file"; tells "did you mean walk.bvh?"
run 3 info deep/wlk.bvh; tells "did you mean deep/walk.bvh?"
run 2 info deep; tells "is a folder"
run 3 info nolib.reprise#x; tells "nolib.reprise: there is no such file"
printf 'hello' > bad.bvh
run 3 info bad.bvh; grep -qE '^reprise: bad.bvh:1:[0-9]+: .' .err || fail "no place in the message"
run 3 info bad.bvh --json; json .error.code format; json .error.line 1; holds '.error.column >= 1'
: > empty.bvh
run 3 info empty.bvh; tells empty.bvh
head -c 3000 walk.bvh > cut.bvh; run 3 info cut.bvh; grep -qE '^reprise: cut.bvh:[0-9]+:[0-9]+: .' .err || fail "no place"
printf 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\nMOTION\nFrames: 1000000000\nFrame Time: 0.01\n1 2 3\n' > huge.bvh
run 3 info huge.bvh; tells huge.bvh:8:
chmod 0 run.bvh
[ "$(id -u)" -eq 0 ] || { run 3 info run.bvh; tells run.bvh; }
chmod 644 run.bvh

# Overruling the doctor and the file.
run 0 info walk.bvh --fps 30 --json; json .clips[0].fps 30.0; json .clips[0].seconds 8.0
run 0 info walk.bvh --read-fps 120 --json; json .clips[0].seconds 2.0
run 0 info walk.bvh --ignore-sidecar --json; json .clips[0].contacts 0
jq '.labels[0].end_s = 1e300' walk.json > far.json; cp walk.bvh far.bvh
run 0 info far.bvh --json; holds '.clips[0] | .labels == [] and (.findings | any(.message | contains("no motion lasts that long")))'
run 0 info walk.bvh --ignore-sidecar --scale 2 --json; holds '.clips[0] | .height_m > 3.2'
run 0 info walk.bvh --ignore-sidecar --scale cm --json; holds '.clips[0] | .height_m < 0.02'
run 2 info walk.bvh --scale big; tells "m, cm, mm, in or cmu"
run 2 info walk.bvh --scale 0; tells "--scale"
run 2 info walk.bvh --role knee; tells "ROLE=JOINT"
run 2 info walk.bvh --role left_kne=Hips; tells "did you mean left_knee?"
knee=$("$REPRISE" info walk.bvh --json | jq -r '.clips[0].roles.right_knee')
run 0 info walk.bvh --role "left_knee=$knee" --json; json .clips[0].roles.left_knee "$knee"
run 3 info walk.bvh --role left_knee=Nix; tells Nix
sed 's/^Frame Time:.*/Frame Time: 0/' walk.bvh > still.bvh
run 3 info still.bvh; tells "--fps"
run 0 info still.bvh --fps 60 --json; json .clips[0].seconds 4.0
run 3 info walk.bvh --asf nosuch.asf; tells nosuch.asf

if has_capture; then
	take=$(find "$REPRISE_MOCAP/cmu" -name 16_15.bvh)
	run 0 info "$take" --json
	holds '.clips[0] | .fps == 120 and .joints == 31 and .height_m > 1.5 and .height_m < 1.75'
	holds '.clips[0] | [.findings[].code] | length > 0'
	holds '.clips[0] | all(.findings[]; .message != "" and .action != "")'
	run 0 info "$take" --no-repair --json
	holds '.clips[0] | .height_m > 1.49 and .height_m < 1.51'
	run 0 info "$take"
	says findings
	silent
	amc=$REPRISE_MOCAP/formats/asf_amc
	run 0 info "$amc/09_06.amc" --json
	holds '.clips[0] | .frames == 141 and .fps == 120 and .roles.left_knee'
	holds '.clips[0] | [.findings[].code] | index("frame_rate") != null'
	run 0 info "$amc/09_06.amc" --fps 60 --json; json .clips[0].fps 60
	holds '.clips[0] | [.findings[].code] | index("frame_rate") == null'
	cp "$amc/09_06.amc" .
	run 3 info 09_06.amc; tells "--asf"
	run 0 info 09_06.amc --asf "$amc/09.asf" --json; json .clips[0].frames 141
fi
