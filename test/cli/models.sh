# Models know their clips by what is in them: renames are followed, changes refused; those from before go by names.
keep=$(cd "$(dirname "$0")/../keep" && pwd)
source "$(dirname "$0")/lib/common.bash"

for turn in -30 0 30; do run 0 perform walk --seconds 5 --turn $turn --seed 5 --fps 60 -o "walk$turn.bvh"; done
i=0
for turn in -30 0 30; do run 0 library add moves.reprise "walk$turn.bvh" --name "clip$((++i))"; done
run 0 graph build moves.reprise --mirror
run 0 graph walk moves.reprise --seconds 8 --seed 3 -o before.bvh; silent

# Two clips that are renamed into each other: the same walk, and no word about it.
run 0 library rename moves.reprise clip1 x
run 0 library rename moves.reprise clip2 clip1
run 0 library rename moves.reprise x clip2
run 0 library check moves.reprise; silent
run 0 graph walk moves.reprise --seconds 8 --seed 3 -o after.bvh; silent
cmp before.bvh after.bvh || fail "the walk is another after a rename"
run 0 graph info moves.reprise --json

# Spaces know theirs as well.
run 0 perform punch --height 1.2 --fps 60 -o low.bvh; run 0 perform punch --height 1.5 --fps 60 -o high.bvh
run 0 library add spaces.reprise low.bvh high.bvh
run 0 space build spaces.reprise low high -p right_wrist@hit -q
run 0 space make spaces.reprise --at -0.04,1.3,0.63 -o before.glb -q; silent
run 0 library rename spaces.reprise low x
run 0 library rename spaces.reprise high low
run 0 library rename spaces.reprise x high
run 0 library check spaces.reprise; silent
run 0 space make spaces.reprise --at -0.04,1.3,0.63 -o after.glb -q; silent
cmp before.glb after.glb || fail "the motion is another after a rename"
run 0 library label spaces.reprise low punched; run 0 space info spaces.reprise; silent
run 0 library remove spaces.reprise low
run 3 space info spaces.reprise; tells 'the clip "high" of the space "space" is no longer in the library'
tells "reprise space build spaces.reprise"
run 3 library check spaces.reprise; says "is no longer in the library"

# One that is removed, and another one under its name.
run 0 library remove moves.reprise clip1
for command in "graph walk moves.reprise --seconds 4 -o out.bvh" "graph info moves.reprise" "bundle moves.reprise -o out.rpb"; do
	run 3 $command; tells 'the clip "clip2" of the graph "graph" is no longer in the library'
	tells "reprise graph build moves.reprise"
done
run 0 perform walk --seconds 5 --turn 10 --seed 9 --fps 60 -o other.bvh
run 0 library add moves.reprise other.bvh --name clip2-new
run 0 library rename moves.reprise clip2 clip9
run 0 library rename moves.reprise clip2-new clip2
run 3 graph walk moves.reprise --seconds 4 -o out.bvh; tells 'the clip "clip2" of the graph "graph" has changed'
run 3 library check moves.reprise; says "has changed"
run 3 library check moves.reprise --json; holds '.sound == false and (.findings[0].action | contains("graph build"))'
absent out.bvh; absent out.rpb
run 0 graph build moves.reprise
run 0 library check moves.reprise; says "is sound"

# A library from before: all works, with a warning, until its models are built anew.
cp "$keep/library/models-1" old.reprise
run 0 library check old.reprise; says "is sound"; tells 'graph "graph": its clips are known by their names alone'
run 0 graph walk old.reprise --seconds 4 -o out.bvh; tells "reprise graph build makes it anew"
run 0 locomotion info old.reprise; tells "reprise locomotion build makes it anew"
run 0 bundle old.reprise -o out.rpb --json; holds '.warnings | length == 1'
run 0 graph build old.reprise
run 0 locomotion build old.reprise
run 0 library check old.reprise; silent
run 0 graph walk old.reprise --seconds 4 -o out.bvh; silent
