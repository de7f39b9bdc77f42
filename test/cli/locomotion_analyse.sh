# locomotion analyse: the tables, the picture, each movement; and what is said where nobody walks.
source "$(dirname "$0")/lib/common.bash"

run 0 perform take --seed 5 --fps 60 --no-sidecar -o take.bvh --script \
	"stand 2; walk 4 1.3; walk 3 1.2 25; run 4 3; walk 3 1.4; stand 2; run 3 2.6; stand 2; punch; stand 1.5; walk 3"
run 0 locomotion analyse take.bvh --picture com.png
says "segments before"; says "after refinement"; says "LDRF"; says "in valid movements"; says com.png
exists com.png
head -c 4 com.png | grep -q PNG || fail "com.png is no PNG"

run 0 locomotion analyse take.bvh --json
silent
json .schema reprise-locomotion-analyse-1
json .clips 1
json .prominence_m 0.003
holds '.segments_after == (.movements | length) and .segments_before >= .segments_after'
holds '.strings | length == 17 and .LDR > 3 and .RDL > 3 and .FLF > 2 and .FRF > 2 and .S >= 3'
holds '(.strings | add) == .segments_after and .groups == ([.strings[] | select(. > 0)] | length)'
holds '.valid_share > 0.8 and .valid_share < 1 and .locomotion_s <= .seconds'
holds '.dropped | length > 0'
holds '[.movements[] | .start_s < .end_s and (.keytimes_s | length) == (.string | length) + 1] | all'
holds '[.movements[] | select(.string == "FLF") | .speed_m_per_s > 1.5 and .from == "run" and .foot == "L"] | all'
holds '[.movements[] | select(.from == "stand" and .to == "run")] | length == 1'
holds '[.movements[] | select(.from == "run" and .to == "stand")] | length == 1'
holds '[.movements[] | select(.from == "walk" and .to == "run")] | length == 1'
holds '.movements[0].follows == false and .movements[1].follows'

# The same whether found in one clip or two, in a library or a file; a stretch has the clip's own times.
run 0 library add moves.reprise take.bvh
run 0 locomotion analyse moves.reprise take.bvh --json
holds '.clips == 2 and (.movements | length) % 2 == 0 and ([.movements[] | select(.follows | not)] | length) % 2 == 0'
run 0 locomotion analyse take.bvh@8..14 --picture com.svg --json
holds '[.movements[] | .start_s >= 8 and .end_s <= 14] | all'
exists com.svg

# Other limits.
run 0 locomotion analyse take.bvh --prominence 0.02 --json
json .prominence_m 0.02
run 2 locomotion analyse take.bvh --prominence much; tells prominence
run 2 locomotion analyse take.bvh --picture com.pdf; tells .png
run 2 locomotion analyse
run 2 locomotion analise take.bvh; tells "locomotion analyse"

# Where nobody walks, somebody takes one step, frames are too few.
run 0 perform stand --seconds 4 --fps 60 -o stand.bvh
run 4 locomotion analyse stand.bvh; tells "nobody walks or runs"; tells "two steps"
run 4 locomotion analyse stand.bvh --json
json .error.exit 4
run 0 perform stand-walk --fps 60 --no-sidecar -o start.bvh
run 4 locomotion analyse start.bvh@0..1.8; tells "nobody walks or runs"
run 0 convert take.bvh --fps 10 -o slow.bvh --no-sidecar
run 4 locomotion analyse slow.bvh; tells "10 frames per second"
run 3 locomotion analyse nothing.bvh
