# locomotion: a model is built, described, played and bundled; and what is said of wrong scripts.
source "$(dirname "$0")/lib/common.bash"

run 0 perform take --seed 1 --fps 60 -o a.bvh --script \
	"stand 2; walk 4 1.0; walk 4 1.4 25; walk 3 1.2 -25; stand 2; walk 3 1.3; run 4 2.8; stand 2; walk 2"
run 0 perform take --seed 2 --fps 60 -o b.bvh --script \
	"stand 2; run 4 2.6 15; run 4 3.2 -15; walk 3 1.4; run 3 3; walk 3 1.2; stand 2; walk 2"
run 0 library add moves.reprise a.bvh b.bvh

run 0 locomotion build moves.reprise --json
json .schema reprise-locomotion-build-1
json .name locomotion
json .takes 2
holds '.movements > 60 and .build_seconds > 0'
holds '[.kinds[] | select(.string == "LDR")][0] | .count > 10 and (.next | index("RDL")) != null'
holds '.missing | length > 0'
holds '.turn_rules.walk.pairs > 10'
run 0 locomotion build moves.reprise --mirror --name both --json
json .takes 4
holds '[.missing[] | select(contains("LDR)") or contains("RDL)"))] == []'
run 0 locomotion info moves.reprise --name both; says "half of them mirror images"; says "LDR"; says "leads to run"
run 0 locomotion info moves.reprise --name both --json
holds '.mirrored and (.gaits.walk | sort) == ["run", "stand", "walk"]'

printf '# a walk\ntime,gait,speed,turn\n0,stand\n1,walk,1.3,20\n6,run,2.8,0\n11,walk,1.2\n16,stand\n' > steer.csv
run 0 locomotion play moves.reprise --name both --script steer.csv --seconds 20 -o out.bvh --json
json .schema reprise-locomotion-play-1
holds '.speed_error < 0.05 and .turn_error_deg_per_s < 2'
holds '[.transitions[].string[0:1]] | length == 4 and .[0] == "S" and .[2] == "F"'
holds '.response_ms > 100 and .response_ms_max < 1500 and .frames_per_s > 0'
holds '.stretches[1].speed_m_per_s | . > 1.2 and . < 1.4'
holds '.output.file == "out.bvh" and .output.seconds == 20'
run 0 evaluate out.bvh --json
holds '.slide_mm_mean < 2 and .slide_mm_max < 10'

run 0 locomotion play moves.reprise --name both --script steer.csv --seconds 20 --look-ahead 0.7 -o ahead.bvh --json
holds '.response_ms > 800 and .locked'

# The same again; another seed, another foot or the same.
run 0 locomotion play moves.reprise --name both --script steer.csv --seconds 20 -o again.bvh
cmp out.bvh again.bvh || fail "another motion"

# In a direction.
printf 'time,gait,direction,magnitude\n0,walk,90,0.5\n' > left.csv
run 0 locomotion play moves.reprise --name both --script left.csv --seconds 15 -o left.bvh --json
holds '.stretches[0].gait == "walk"'

# As a bundle, for the player of all bundles.
run 0 bundle moves.reprise --model both -o both.rpb --json
holds '.kind == "locomotion" and .clips == 4 and .bytes > 100000'
printf '0,90\n' > direction.csv
run 0 play both.rpb --script direction.csv --seconds 15 -o played.bvh --json
holds '.stretches[0].went_deg > 40 and .stretches[0].way_m > 5'

# Gait, speed and turn too: what locomotion play does with the same script, from exact frames.
run 0 bundle moves.reprise --model both -o exact.rpb --exact
sed 1d steer.csv > named.csv
run 0 play exact.rpb --script named.csv --seconds 20 -o named.bvh --json
cmp out.bvh named.bvh || fail "play and locomotion play differ"
holds '.stretches | length == 5 and .[0].asked_deg == null'
printf 'time,x,y,gait,speed,turn\n0,0,1,run,2.8,\n4,,,walk,,20\n8,0,0,stand\n' > driven.csv
run 0 play both.rpb --script driven.csv -o driven.bvh --seed 3 --look-ahead 0.2 --no-bend
run 0 evaluate driven.bvh --json; holds '.slide_mm_mean < 3'
run 0 info driven.bvh --json; holds '.clips[0] | [.labels[].name] | (index("run") != null) and (index("stand") != null)'
printf 'time,gait\n0,fly\n' > bad.csv
run 3 play both.rpb --script bad.csv -o x.bvh; tells 'bad.csv:2:3: "fly" is no gait; there are stand, walk and run'
printf 'time,gait,speed\n0,walk,30\n' > bad.csv
run 3 play both.rpb --script bad.csv -o x.bvh; tells "bad.csv:2:8: a speed of 30 m/s; 0 to 20 are allowed"
printf 'time,gait\n,walk\n' > bad.csv
run 3 play both.rpb --script bad.csv -o x.bvh; tells 'bad.csv:2:1: "" is no number'

# Gaits that the model does not have: a warning, and no answer.
run 0 perform walk --seconds 8 --fps 60 -o walk.bvh
run 0 library add walks.reprise walk.bvh
run 0 locomotion build walks.reprise
printf '0,walk,1.2\n3,run,3\n7,walk\n' > wish.csv
run 0 locomotion play walks.reprise --script wish.csv -o wish.bvh
tells "run was asked for over 4.0 s; the model has none: it walked instead (add takes that run)"
run 0 locomotion play walks.reprise --script wish.csv -o wish.bvh --json
holds '(.warnings | length) == 1 and (.warnings[0] | startswith("run was asked for over 4.0 s"))'
holds '.stretches | map(.response_ms == null) == [false, true, false]'
printf '0,run,3\n' > wish.csv
run 0 locomotion play walks.reprise --script wish.csv -o wish.bvh; tells "run was asked for over 5.0 s"
! grep -q answered .out || fail "walking is no answer to a run"
run 0 perform run --seconds 6 --fps 60 -o run.bvh
run 0 library add runs.reprise run.bvh
run 0 locomotion build runs.reprise
printf '0,stand\n' > wish.csv
run 0 locomotion play runs.reprise --script wish.csv -o wish.bvh; tells "the model has none: it ran instead"
# What it has is not warned of.
run 0 locomotion play moves.reprise --name both --script steer.csv --seconds 20 -o wish.bvh; silent

# What is wrong.
printf '0,fly,3\n' > bad.csv; run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh; tells 'bad.csv:1:3: "fly" is no gait'
printf '0,walk\n0,run\n' > bad.csv; run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh
tells "do not increase"
printf '0,walk,fast\n' > bad.csv; run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh
tells 'bad.csv:1:8: "fast" is no number'
# Beyond reason: line, column, and what is allowed.
while read -r line column text; do
	printf '0,stand\n%s\n' "$line" > bad.csv
	run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh
	tells "bad.csv:2:$column: $text"
done <<- 'END'
	1e12,walk,1,0 1 a time of 1e12 s; 0 to 36000 are allowed
	-1,walk 1 a time of -1 s; 0 to 36000 are allowed
	5,walk,21 8 a speed of 21 m/s; 0 to 20 are allowed
	5,walk,-1 8 a speed of -1 m/s; 0 to 20 are allowed
	5,walk,1,-4e3 10 a turn of -4e3 degrees per second; -3600 to 3600 are allowed
END
printf 'time,gait,direction,magnitude\n0,walk,90, 7\n' > bad.csv
run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh; tells "bad.csv:2:12: a magnitude of 7; 0 to 1"
absent x.bvh
printf 'time,way\n0,walk\n' > bad.csv; run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh
printf '\n' > bad.csv; run 3 locomotion play moves.reprise --name both --script bad.csv -o x.bvh
run 3 locomotion play moves.reprise --name both --script nosuch.csv -o x.bvh
run 2 locomotion play moves.reprise --name both -o x.bvh; tells "needs --script"
run 3 locomotion info moves.reprise --name nosuch; tells "there are: both, locomotion"
run 3 locomotion info moves.reprise --name nosuch --json
run 3 locomotion build moves.reprise nosuch
run 0 perform punch --seconds 2 -o punch.bvh
run 0 library add still.reprise punch.bvh
run 4 locomotion build still.reprise
run 0 library check moves.reprise

# Two bodies: the hint names a command that there is.
run 0 perform walk --seconds 3 --stature 1.5 -o small.bvh
run 0 library add two.reprise a.bvh small.bvh
run 2 locomotion build two.reprise; tells "are of two bodies"; tells "reprise convert TAKE --onto OTHER"
run 0 help convert; says "--onto"
