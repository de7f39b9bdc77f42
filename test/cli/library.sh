# The library's commands, from an empty folder to an export that comes back the same.
source "$(dirname "$0")/lib/common.bash"

mkdir -p takes/inner many
run 0 perform walk --seconds 2 -o takes/walk.bvh
run 0 perform run --seconds 2 -o takes/inner/run.bvh
run 0 perform jump -o takes/jump.bvh
lib=moves.reprise

# Adding: a folder, the same again, a pattern, a stretch.
run 0 library add $lib takes --label all --label made
says "added takes/inner/run.bvh as clip 1"; says "3 added, 0 there already, 0 failed"
run 0 library add $lib takes --label all --label made --json
json .schema reprise-library-add-1; json .added 0; json .existing 3; json '.clips | length' 3; json '.clips[0].new' false
run 0 library add $lib 'takes/w*.bvh' --label all --label made; says "1 there already"
run 0 library add $lib 'takes/walk.bvh@0.5..1' --name step --json
json .added 1; json '.clips[0].id' 4
run 2 library add $lib takes --name one; tells "--name is for one clip"
run 3 library add $lib nosuch.bvh; tells "nosuch.bvh: there is no such file"
mkdir bare; run 3 library add $lib bare; tells "no .bvh or .amc file"
run 2 library add takes.lib takes; tells ".reprise"; absent takes.lib
run 1 library add nowhere/x.reprise takes; tells "the folder does not exist"
if [ "$(id -u)" != 0 ]; then
	mkdir shut; chmod 555 shut
	run 1 library add shut/x.reprise takes; tells "Permission denied"; absent shut/x.reprise
fi

# A disk that fills up half-way, as near as a test comes to one: what was added before stays, and is said to.
for i in 1 2 3 4 5 6 7 8; do run 0 perform walk --seconds 4 --speed 1.$i -o many/w$i.bvh; done
(trap '' XFSZ; ulimit -f 400; run 1 library add full.reprise many); tells "of 8 files were added before and stay"
added=$(grep -c '^added' .out); [ "$added" -ge 1 ] && [ "$added" -lt 8 ] || fail "$added were added"
tells "; $added of 8 files were added"
run 0 library check full.reprise
run 0 library list full.reprise --json; json '.clips | length' "$added"

# One that cannot be read does not stop the others.
printf 'nonsense' > takes/bad.bvh
run 3 library add other.reprise takes; says "3 added, 0 there already, 1 failed"; tells "takes/bad.bvh:1:"
run 3 library add other.reprise takes --json
json .failed 1; holds '[.clips[] | select(.error)][0].error.code == "format"'; json .error.exit 3
# Where nothing can be read, no library is made; where the first cannot, the others are added all the same.
run 3 library add none.reprise takes/bad.bvh; says "0 added, 0 there already, 1 failed"; absent none.reprise
run 3 library add none.reprise takes/bad.bvh nosuch.bvh; absent none.reprise
run 3 library add none.reprise takes/bad.bvh takes/bad.bvh --json; json .failed 2; absent none.reprise
run 3 library add some.reprise takes/bad.bvh takes/walk.bvh takes/jump.bvh; says "2 added, 0 there already, 1 failed"
run 0 library list some.reprise --json; json '[.clips[].name] | join(" ")' "walk jump"
rm takes/bad.bvh

# Listing.
run 0 library list $lib; says walk; says step; silent
run 0 library list $lib --json
json .schema reprise-library-list-1
json '[.clips[].name] | sort | join(" ")' "jump run step walk"
json '[.clips[].id] | join(" ")' "1 2 3 4"
holds '.clips[0].labels == ["all", "made", "run"]'
holds 'all(.clips[]; .hash | test("^[0-9a-f]{32}$"))'
holds '.clips | map(.skeleton) | unique | length == 1'
run 0 library list $lib --label run --json; json '.clips | length' 1
run 0 library list $lib --label none --json; json '.clips | length' 0
run 0 library show $lib; says "4 clips"; says "1 skeleton,"
run 0 library show $lib --json; json .clips 4; json .labels.made 3; holds '.bytes > 1000'
run 0 library show $lib walk; says "from walk.bvh"; says "2.00 s"
run 0 library show $lib 4 --json; json .name step; holds '.frames > 1 and .id == 4'

# References into a library.
run 0 info $lib#walk --json; json .clips[0].file "moves.reprise#walk"; json .clips[0].id 3; holds '.clips[0] | .contacts > 0'
run 0 info $lib#3@0.5..1 --json; holds '.clips[0] | .seconds > 0.45 and .seconds < 0.55'
run 0 info $lib --json; json '.clips | length' 4
run 3 info $lib#wlak; tells "walk"
run 0 info $lib#walk --scale 2 --fps 30; tells "moves.reprise#walk: --scale has no effect"; tells "--fps has no effect"
run 0 convert $lib#walk -o w30.bvh --fps 30; silent
run 2 convert $lib -o x.bvh; tells "which clip of moves.reprise?"
run 0 library rename $lib walk 'my walk@1..2'; says "is called my walk@1..2 now"
run 0 info "$lib#my walk@1..2" --json; json .clips[0].seconds 2.0
run 0 info "$lib#my walk@1..2@0..1" --json; json .clips[0].seconds 1.0
run 0 library rename $lib 'my walk@1..2' walk --json; json .name walk
run 3 library rename $lib nosuch x; tells nosuch
code=0; "$REPRISE" library rename $lib walk run > .out 2> .err || code=$?
[ $code -ne 0 ] || fail "two clips of one name"
run 2 convert $lib#walk -o $lib; tells ".bvh"

# Labels.
run 0 library label $lib walk slow fast@0.5..1.5; says "walk is labelled slow"
run 0 info $lib#walk --json
holds '.clips[0] | [.labels[] | select(.name == "fast")] | .[0].start_s == 0.5 and .[0].end_s == 1.5'
run 0 library label $lib walk fast@0.75..1 --remove
run 0 info $lib#walk --json
json '.clips[0] | ([.labels[] | select(.name == "fast")] | length)' 2
run 0 library label $lib walk slow fast --remove --json
holds '.clips[0] | [.labels[].name] | index("slow") == null and index("fast") == null'
run 2 library label $lib walk fast@1; tells "stretch"
run 2 library label $lib walk @1..2; tells "no label"
run 0 library label $lib walk late@60f.. --json; holds '[.clips[0].labels[] | select(.name == "late")][0].start_s == 1'
run 3 library label $lib nosuch x
run 2 library label $lib walk a,b; tells comma
run 3 library label $lib walk none --remove; tells none
# All of it or none: a stretch that lies outside is found before the first label is put on.
run 2 library label $lib walk early never@8..9; tells "lasts 2.000 s"
run 3 library label $lib walk late none --remove; tells none
run 0 library show $lib walk --json; holds '[.labels[].name] | (index("early") == null) and (index("late") != null)'
run 0 library label $lib walk long@1..99; tells "the label ends there"
run 0 library label $lib walk exact@1..2; silent

# Labels of many clips at once: by pattern, from a table, from folders; and on clips that are there already.
run 0 library label $lib '[rw]*' quick --json; json '[.clips[].name] | sort | join(" ")' "run walk"
run 3 library label $lib 'nobody*' quick; tells 'no clip'"'"'s name is like "nobody*"'
run 2 library label $lib walk; tells "which label goes onto which clip?"
printf 'clip,label,start,end\nwalk,first,0,1\nj*,hop\nwalk,rest,1.5\n' > labels.csv
run 0 library label $lib --csv labels.csv --json; json '[.clips[].name] | join(" ")' "walk jump"
holds '[.clips[0].labels[] | select(.name == "rest")][0] | .start_s == 1.5 and .end_s == 2'
printf 'walk,good\nnobody,bad\n' > labels.csv
run 3 library label $lib --csv labels.csv; tells "labels.csv:2:1: no clip is called"
printf 'walk,good,soon\n' > labels.csv
run 3 library label $lib --csv labels.csv; tells "labels.csv:1:11: \"soon\" is no time"
run 2 library label $lib walk x --csv labels.csv; tells "not from both"
run 0 library list $lib --label good --json; json '.clips | length' 0
run 0 library add $lib takes/walk.bvh --label later; says "is clip 3 already; it has the labels now"
run 0 library list $lib --label later --json; json '.clips | length' 1
run 0 library add folders.reprise takes --label-folders --json; json .added 3
run 0 library list folders.reprise --json; holds '[.clips[] | {(.name): .labels}] | add | .run == ["inner", "run"] and .walk == ["takes", "walk"]'
(cd takes && run 0 library add ../here.reprise walk.bvh --label-folders)
run 0 library list here.reprise --json; holds '.clips[0].labels == ["walk"]'

# A clip is called after its file, whatever its sidecar says.
cp takes/walk.bvh other.bvh; sed 's/"name": "walk"/"name": "take"/' takes/walk.json > other.json
run 0 library add named.reprise other.bvh; run 0 library list named.reprise --json; json '.clips[0].name' other

# Export, and back.
run 0 library export $lib walk -o out.bvh; exists out.bvh; exists out.json
run 0 library add again.reprise out.bvh --json; json .added 1
run 0 convert $lib#walk -o a.csv --no-sidecar; run 0 convert out.bvh -o b.csv --no-sidecar
awk -F, 'NR==FNR{for(i=1;i<=NF;++i)a[FNR,i]=$i;next} FNR>1{for(i=1;i<=NF;++i){d=a[FNR,i]-$i;if(d>2e-5||d<-2e-5)exit 1}}' a.csv b.csv ||
	fail "an exported clip is not the same"
run 0 library export $lib --all -o exported --json; json '.outputs | length' 4
for name in walk run jump step; do exists exported/$name.bvh; done
run 0 library export $lib walk run -o exported/ --format glb --no-sidecar; exists exported/run.glb
run 2 library export $lib --all -o all.bvh; tells "do not go into one file"
run 0 library export $lib walk run -o two.glb --json; json '.outputs | length' 2; exists two.glb
grep -aq '"name":"walk","channels"' two.glb && grep -aq '"name":"run","channels"' two.glb || fail "animations of two.glb"
run 2 library export $lib -o all.bvh; tells "export what?"
run 2 library export $lib walk; tells "-o"
run 2 library export $lib walk --all -o x; tells "not both"
run 3 library export $lib nosuch -o x.bvh; absent x.bvh
run 0 library rename $lib step '../../evil/name'
run 0 library export $lib 4 -o exported/ --json; json '.outputs[0].file' "exported/_._.._evil_name.bvh"
absent ../../evil

# Removing: all or none.
run 3 library remove $lib walk nosuch; tells nosuch
run 0 library list $lib --json; json '.clips | length' 4
run 0 library remove $lib walk 2 walk --json; json '.removed | length' 2
run 0 library list $lib --json; json '[.clips[].id] | join(" ")' "1 4"

# Checking. A damaged library, a file that is none, one that is not there.
run 0 library check $lib; says "is sound"
run 0 library check $lib --json; json .sound true
cp $lib hurt.reprise
size=$(stat -c %s hurt.reprise)
for at in 30 50 70 90; do printf 'DAMAGE' | dd of=hurt.reprise bs=1 seek=$((size * at / 100)) conv=notrunc 2> /dev/null; done
run 3 library check hurt.reprise
run 3 library check hurt.reprise --json; holds '(.sound == false and (.findings | length > 0)) or .error'
cp takes/walk.bvh fake.reprise; before=$(md5sum < fake.reprise)
run 3 library list fake.reprise; tells fake.reprise
run 3 library add fake.reprise takes
run 3 library check fake.reprise
[ "$before" = "$(md5sum < fake.reprise)" ] || fail "a file that is no library was touched"
run 3 library list gone.reprise; tells "no such file"; absent gone.reprise
run 3 library remove gone.reprise x; absent gone.reprise
run 3 library check gone.reprise; absent gone.reprise

# From one library to another.
run 0 library add third.reprise $lib --json; json .added 2
run 0 library add third.reprise "$lib#run@0..1" --name short --json; json .added 1

# Hostile names.
run 0 library add third.reprise takes/walk.bvh --name $'bad\033[2J\nname' --label $'lab\033el'
run 0 library list third.reprise
! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' .out || fail "a control character was shown"
run 0 library list third.reprise --json; holds '.clips | length >= 3'

if has_capture; then
	run 0 library add cmu.reprise "$REPRISE_MOCAP/cmu/016" --label cmu
	tells "58 times, first in 16_01.bvh: "
	says "58 added"
	run 0 library check cmu.reprise
	run 0 library show cmu.reprise --json; json .clips 58; json .skeletons 1; json .labels.cmu 58

	# Takes of one body decide together, and again with each that is added.
	takes=("$REPRISE_MOCAP"/cmu/120/*.bvh)
	run 0 library add once.reprise "${takes[@]}" --json
	holds '.sessions | length == 1 and (.[0].takes == 6) and (.[0].changed == []) and (.[0].findings[0].code == "floor")'
	run 0 library add later.reprise "${takes[@]:0:5}"
	run 0 library add later.reprise "${takes[5]}"; says "changed with their session: 120_"
	run 0 library list once.reprise --json; jq '[.clips[].hash]' .out > once.txt
	run 0 library list later.reprise --json; jq '[.clips[].hash]' .out > later.txt
	cmp -s once.txt later.txt || fail "takes end otherwise one after the other"
	run 0 library check later.reprise
	run 0 library add kept.reprise "${takes[@]}" --keep-floor --read-fps 120 --json; holds '.sessions == []'
fi
