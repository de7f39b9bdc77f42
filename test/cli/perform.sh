#!/usr/bin/env bash
# test/cli/perform.sh: acts, takes, scripts and the repertoire from the command line.
. "$(dirname "$0")/lib/common.bash"

run 0 perform --list; says "transition"; says "--speed 0.6..2.2 m/s (1.35)"
run 0 perform --list --json; holds '.acts | length > 15'
holds '[.acts[] | select(.name == "walk")][0].parameters.turn_deg_per_s.high > 80'

run 0 perform walk --speed 1.4 --turn 20 --seconds 3 --seed 7 -o walk.bvh
[ -s walk.json ] || fail "the truth beside the clip"
for word in half_cycle string:LDR heel_strike_left speed_m_per_s '"com"' left_ball; do
	grep -q -- "$word" walk.json || fail "no $word in the truth"
done
run 0 perform walk --speed 1.4 --turn 20 --seconds 3 --seed 7 -o again.bvh
cmp walk.bvh again.bvh || fail "the same seed gives the same bytes"
run 0 perform walk --stature 1.3 -o child.bvh
run 0 info child.bvh --json; holds '.clips[0] | .height_m > 1.29 and .height_m < 1.31'

run 2 perform walk --speed 9 -o w.bvh; tells "0.6 to 2.2 are possible"
run 2 perform stand --speed 1 -o w.bvh; tells "takes no --speed"
run 2 perform walk --script "walk 1" -o w.bvh; tells "for take"
run 2 perform take --script "fly 3" -o w.bvh; tells "no stretch of a script"
tells "line 1, column 1"
run 2 perform take --script "stand 1; jump 1.2 far" -o w.bvh; tells "column 19"
run 2 perform take --script "stand 1;
punch height=9" -o w.bvh; tells "line 2, column 7"; tells "1.1 to 1.6 are possible"
run 0 perform take --script "stand 1; sneak 3; punch; backwards 2; jump 1.2; sit-down; step-up" -o mixed.bvh
for word in sneak punch hit backwards jump rise seat step-down; do
	grep -q -- "\"$word\"" mixed.json || fail "no $word in the truth of a mixed take"
done
run 0 perform take --script "stand 1; walk 3 1.2 30; run 2" --seconds 6 -o take.bvh
grep -q string:S take.json || fail "a take that begins with a stand"

run 0 perform repertoire -o all.reprise --json; holds '.clips > 50 and .seconds > 180'
run 0 library list all.reprise; says "walk-1"; says "march-2"
run 2 perform repertoire -o all.bvh; tells ".reprise"
# What is there stays: a library of the user's own is not made anew without being told to.
run 0 perform walk -o own.bvh -q; run 0 library add own.reprise own.bvh -q; cp own.reprise kept.reprise
run 2 perform repertoire -o own.reprise; tells "own.reprise is there already"; tells "--force"
cmp -s own.reprise kept.reprise || fail "a library was replaced"
