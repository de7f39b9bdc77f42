# convert: every edit, every format, and nothing overwritten that should not be.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 -o walk.bvh
info() { run 0 info "$1" --json; }

# Formats.
run 0 convert walk.bvh -o copy.bvh; says "4.00 s, 241 frames at 60 fps"; silent
info copy.bvh
json .clips[0].frames 241
holds '.clips[0] | .labels[0].name == "walk" and .contacts > 4'
holds '[.provenance.inputs[].name] | index("copy.bvh") and index("walk.bvh")'
run 0 convert walk.bvh -o walk.glb; exists walk.glb
[ "$(head -c 4 walk.glb)" = glTF ] || fail "no GLB"
run 0 convert walk.bvh -o bare.glb --no-mesh --no-sidecar
[ "$(stat -c %s bare.glb)" -lt "$(stat -c %s walk.glb)" ] || fail "--no-mesh changes nothing"
run 0 convert walk.bvh -o walk.csv --no-sidecar; [ "$(wc -l < walk.csv)" -eq 242 ] || fail "rows of the CSV file"
run 0 convert walk.bvh@1..2 walk.bvh@2..3 -o two.glb --each --json
json '.outputs | length' 2
run 2 convert walk.bvh -o x.bvh --each; tells "GLB"

# The JSON of a GLB file.
document() { local size; size=$(od -An -t u4 -j 12 -N 4 "$1"); head -c $((20 + size)) "$1" | tail -c +21; }
run 0 perform jump -o jump.bvh
run 0 convert walk.bvh jump.bvh -o moves.glb --each
document moves.glb > .out
holds '[.animations[].name] == ["walk", "jump"]'
holds '[.animations[].extras.loop] == [false, true]'
holds '.nodes[1].name == "root" and .nodes[2].name == "Hips" and .nodes[1].children == [2]'
run 0 convert walk.bvh -o plain.glb --no-root --loop yes
document plain.glb > .out
holds '.nodes[1].name == "Hips" and .animations[0].extras.loop'
run 2 convert walk.bvh -o x.bvh --loop yes; tells "GLB files only"
run 2 convert walk.bvh -o x.glb --loop maybe; tells "yes|no"

# Rotations in a table.
run 0 convert walk.bvh -o turns.csv --rotations --no-sidecar
head -n 1 turns.csv | grep -q 'Hips.x,.*,Hips.qw,Hips.qx,Hips.qy,Hips.qz,.*,RightHand.qz$' || fail "columns of rotations"
awk -F, 'NR==1{for(i=1;i<=NF;++i)if($i=="LeftLeg.qw")k=i} NR>1{q=$k*$k+$(k+1)^2+$(k+2)^2+$(k+3)^2;if(q<0.9999||q>1.0001)exit 1}' turns.csv ||
	fail "rotations are no unit quaternions"
run 2 convert walk.bvh -o x.glb --rotations; tells "CSV files only"
run 2 convert walk.bvh -o x.fbx; tells ".bvh .glb .csv"
info walk.bvh
holds '.clips[0] | .contacts > 4'

# Units of the output: the same body comes back.
for unit in m cm mm in; do
	run 0 convert walk.bvh -o unit.bvh --unit $unit --no-sidecar
	run 0 info unit.bvh --json
	holds '.clips[0] | .height_m > 1.70 and .height_m < 1.80'
	rm unit.bvh
done
grep -q 'OFFSET' walk.bvh
run 2 convert walk.bvh -o x.glb --unit cm; tells "always in metres"

# Edits.
run 0 convert walk.bvh -o e.bvh --fps 30 --json; json .output.frames 121; json .output.fps 30.0; json .output.file e.bvh
run 0 convert walk.bvh -o e.bvh --crop 1..2 --json; json .output.frames 61
run 0 convert walk.bvh -o e.bvh --crop 60f.. --json; json .output.frames 181
run 0 convert walk.bvh@1..3 -o e.bvh --crop ..1 --json; json .output.frames 61
run 2 convert walk.bvh -o e.bvh --crop 1; tells "A..B"
run 2 convert walk.bvh -o e.bvh --crop 1..9; tells "lies outside"
run 0 convert walk.bvh -o e.bvh --retime 2 --json; json .output.frames 121
run 0 convert walk.bvh -o e.bvh --retime 0.5 --json; json .output.frames 481
printf 'new,old\n0,0\n1,2\n# slower\n\n 3 , 4 \r\n' > warp.csv
run 0 convert walk.bvh -o e.bvh --retime warp.csv --json; json .output.seconds 3.0
run 0 convert walk.bvh -o e2.bvh --retime warp.csv --smooth; ! cmp -s e.bvh e2.bvh || fail "--smooth changes nothing"
printf '0,0\n1,x\n' > bad.csv; run 3 convert walk.bvh -o e.bvh --retime bad.csv; tells "bad.csv:2:3: \"x\" is no number"
printf '0,0\n1,1\n1,2\n' > bad.csv; run 3 convert walk.bvh -o e.bvh --retime bad.csv; tells "bad.csv:3:1: the times do not increase"
printf '0,0\n' > bad.csv; run 3 convert walk.bvh -o e.bvh --retime bad.csv; tells "at least two lines"
printf '0 0\n' > bad.csv; run 3 convert walk.bvh -o e.bvh --retime bad.csv; tells "bad.csv:1:1:"
run 3 convert walk.bvh -o e.bvh --retime gone.csv; tells "gone.csv: cannot read it"
run 2 convert walk.bvh -o e.bvh --retime 0; tells "--retime"
run 0 convert walk.bvh -o m.bvh --mirror
run 0 convert m.bvh -o mm.bvh --mirror
! cmp -s <(sed -n '/^MOTION/,$p' walk.bvh) <(sed -n '/^MOTION/,$p' m.bvh) || fail "--mirror changes nothing"
run 0 convert walk.bvh -o a.csv --no-sidecar; run 0 convert mm.bvh -o b.csv --no-sidecar
awk -F, 'NR==FNR{for(i=1;i<=NF;++i)a[FNR,i]=$i;next} FNR>1{for(i=1;i<=NF;++i){d=a[FNR,i]-$i;if(d>2e-5||d<-2e-5)exit 1}}' a.csv b.csv ||
	fail "mirrored twice is not the same"

# Places: the root of the first frame, turned to the left by 90 degrees (x, z) -> (z, -x), then shifted.
run 0 convert walk.bvh -o t.csv --turn 90 --shift 1,-2 --no-sidecar
awk -F, 'FNR==2{x[NR==2]=$2;z[NR==2]=$4} END{dx=x[0]-(z[1]+1);dz=z[0]-(-x[1]-2);exit !(dx*dx+dz*dz<1e-8)}' a.csv t.csv ||
	fail "--turn and --shift"
run 2 convert walk.bvh -o t.csv --shift 1; tells "X,Z"
run 2 convert walk.bvh -o t.csv --shift 1e308,0; tells "--shift needs numbers from -1000000 to 1000000, not 1e+308"

# Joining.
run 0 convert walk.bvh@0..1 walk.bvh@1..2 -o j.bvh --json; json .output.frames 122
holds '.provenance.parameters.arguments == ["walk.bvh@0..1", "walk.bvh@1..2"]'
grep -q '"seam"' j.json || fail "a seam where they were joined"
# Where the one before ends: the last frame of one and the first of the next are one frame.
run 0 convert walk.bvh@1..2 -o there.bvh --turn 120 --shift 3,4
run 0 convert walk.bvh@0..1 there.bvh -o j.bvh --json; run 0 evaluate j.bvh --reference walk.bvh --json; holds '.seam_pose_ratio_max > 10'
for manner in aligned smooth; do
	run 0 convert walk.bvh@0..1 there.bvh -o j.bvh --join $manner --json; json .output.frames 121
	run 0 evaluate j.bvh --reference walk.bvh --json; holds '.seams == 1 and .seam_pose_ratio_max < 1.2'
done
run 0 convert walk.bvh@0..1 there.bvh there.bvh -o j.bvh --join smooth --json; json .output.frames 181
# Poses that do not fit are said, with how far the body jumps; a clip that goes on is not.
run 0 perform sit-down -o sit.bvh
for manner in as-is aligned; do
	run 0 convert walk.bvh sit.bvh -o j.bvh --join $manner; tells "the body jumps by"; tells "reprise transition"
	run 0 convert walk.bvh@0..1 walk.bvh@1..2 -o j.bvh --join $manner; silent
done
run 0 convert walk.bvh@0..1 walk.bvh@1..2 -o j.bvh --join smooth; silent
run 2 convert walk.bvh there.bvh -o j.bvh --join loosely; tells "--join"
run 0 convert walk.bvh -o slow.bvh --fps 30
run 2 convert walk.bvh slow.bvh -o j.bvh; tells "--fps brings them to one rate"
run 0 convert walk.bvh slow.bvh -o j.bvh --fps 30 --json; json .output.frames 242

# Onto another body of the same hierarchy.
run 0 perform walk --seconds 3 --fps 60 --stature 1.5 -o small.bvh
run 0 convert walk.bvh --onto small.bvh -o onto.bvh --json
holds '.onto[0].clip == "walk.bvh" and .onto[0].locked and .onto[0].slide_mm_after < 1'
holds '.onto[0].factor > 0.85 and .onto[0].factor < 0.87'
run 0 info onto.bvh --json; holds '.clips[0] | .height_m > 1.45 and .height_m < 1.55 and .contacts > 4'
run 0 convert small.bvh onto.bvh -o j.bvh --json; json .output.frames 422
run 2 convert small.bvh walk.bvh -o j2.bvh; tells "convert --onto"
run 0 convert small.bvh walk.bvh --onto walk.bvh -o j.bvh; says "feet locked"; says "small.bvh: 1.167 times as large"
run 0 convert walk.bvh --onto small.bvh -o loose.bvh --no-lock --json; json .onto[0].locked false
run 3 convert walk.bvh --onto gone.bvh -o x.bvh; tells "gone.bvh"
run 2 convert walk.bvh --onto small.bvh -o small.bvh; tells "is one of the inputs"

# The rate of a file that has none.
sed 's/^Frame Time:.*/Frame Time: 0/' walk.bvh > still.bvh
run 3 convert still.bvh -o s.bvh; tells "--fps"; absent s.bvh
run 0 convert still.bvh -o s.bvh --fps 60; tells "read at 60 fps"
run 0 convert still.bvh -o s.bvh --read-fps 60 --fps 30 --json; json .output.frames 121; holds '.warnings == []'

# Never an input, unless forced; hard links and other spellings are seen through.
cp walk.bvh keep.bvh; cp walk.json keep.json; ln keep.bvh hard.bvh; ln -s keep.bvh soft.bvh
before=$(md5sum < keep.bvh)
for name in keep.bvh ./keep.bvh "$PWD/keep.bvh" hard.bvh soft.bvh; do
	run 2 convert keep.bvh -o "$name" --mirror
	tells "is one of the inputs"; tells "--force"
done
run 2 convert walk.bvh keep.bvh -o keep.bvh; tells "is one of the inputs"
cp warp.csv w.csv; run 2 convert walk.bvh --retime w.csv -o w.csv; tells "is one of the inputs"
[ "$before" = "$(md5sum < keep.bvh)" ] || fail "an input was changed"
run 0 convert keep.bvh -o keep.bvh --mirror --force
[ "$before" != "$(md5sum < keep.bvh)" ] || fail "--force did nothing"
run 0 convert walk.bvh -o e.bvh; run 0 convert walk.bvh -o e.bvh

# A failure leaves what was there, and no temporary file.
mkdir fresh; cd fresh
cp ../walk.bvh ../walk.json .
printf 'old' > out.bvh
run 3 convert walk.bvh nosuch.bvh -o out.bvh
[ "$(cat out.bvh)" = old ] || fail "a failed convert touched its output"
run 1 convert walk.bvh -o nowhere/out.bvh; tells "the folder does not exist"
if [ "$(id -u)" -ne 0 ]; then
	mkdir locked; chmod 555 locked
	run 1 convert walk.bvh -o locked/out.bvh; tells "locked/out.bvh"
	chmod 755 locked
fi
only walk.bvh walk.json out.bvh
printf '{"mine": 1}' > other.json
run 1 convert walk.bvh -o other.bvh
[ "$(cat other.json)" = '{"mine": 1}' ] || fail "a JSON file of the user's was overwritten"
absent other.bvh
run 0 convert walk.bvh -o other.bvh --no-sidecar
[ "$(cat other.json)" = '{"mine": 1}' ] || fail "a JSON file of the user's was overwritten"
cd ..

# The same again gives the same bytes, whatever the output is called.
run 0 convert walk.bvh -o one.bvh --fps 24 --mirror; cp one.bvh one.keep; cp one.json one.json.keep
run 0 convert walk.bvh -o one.bvh --fps 24 --mirror --quiet
cmp one.bvh one.keep; cmp one.json one.json.keep
! grep -qF "$PWD" one.json || fail "an absolute path in the sidecar"

# Limits.
run 2 convert walk.bvh -o x.bvh --fps 1e9; tells "--fps"

if has_capture; then
	take=$(find "$REPRISE_MOCAP/cmu" -name 16_15.bvh)
	run 0 convert "$take" -o cmu.bvh --fps 30
	grep -q '^16_15.bvh: ' .err || fail "no findings reported"
	run 0 convert "$take" -o cmu.glb --fps 30 --quiet; silent; mute
	run 0 info cmu.bvh --json
	holds '.clips[0] | .findings == [] and .height_m > 1.5 and .fps == 30'
	other=$(find "$REPRISE_MOCAP/cmu" -name 86_01.bvh)
	run 0 convert "$take" --onto "$other@1..2" -o on.bvh --quiet --json
	holds '.onto[0].locked and .onto[0].slide_mm_after < 0.2 * .onto[0].slide_mm_before'
	run 0 transition on.bvh@2 "$other@2" -o people.bvh --quiet --json; holds '.locked'
fi
