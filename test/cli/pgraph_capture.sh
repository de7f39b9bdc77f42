# A graph of captured walks: strides of subject 16 by turn and speed, walked at random and where a stick points.
source "$(dirname "$0")/lib/common.bash"
has_capture || exit 77

run 0 library add walks.reprise "$REPRISE_MOCAP"/cmu/016/16_1[1-9].bvh "$REPRISE_MOCAP"/cmu/016/16_2*.bvh "$REPRISE_MOCAP"/cmu/016/16_3[0-4].bvh -q
run 0 space find walks.reprise#16_15@1.2..2.3 --mirror -o strides.json -q
run 0 space build walks.reprise --from strides.json -p turn,speed --name walk -q
run 0 pgraph build walks.reprise --json
holds '.edges | length == 1 and (.[0] | .made and .good_m > 0.04 and .good_m < 0.15 and .share_mean > 0.6 and .samples > 40 and .empty == 0)'
run 0 pgraph info walks.reprise --json; silent
holds '.nodes[0] | .examples > 40 and (.parameters | map(.meaning)) == ["turn", "speed"]'
holds '.edges[0] | .leaves_at[0] > 0.7 and .enters_at[2] < 0.3'
run 0 pgraph picture walks.reprise --edge walk-walk --trade -o walks.png --json
holds '.trade | first.share_mean < 0.2 and last.share_mean > 0.95'

# At random: nothing above what is bad, and judged as the takes are.
run 0 pgraph walk walks.reprise --seconds 60 --seed 1 -o walk.bvh --json
holds '.sums | .motions > 40 and .forced == 0 and .distance_mean_m < 0.08 and .distance_max_m < 0.14'
run 0 evaluate walk.bvh --reference walks.reprise --json
silent
holds '.references > 10 and .skate_ratio < .reference.skate_ratio and .slide_mm_mean < .reference.slide_mm_mean and .penetration_mm_max < 30 and
	.seam_velocity_ratio_max < 2.5 and .seam_pose_ratio_max < 2 and .stretch_percent_max == 0'

# A quarter turn to the left and back ahead: it gets there, and goes on there.
printf 'time,direction\n0,0\n6,90\n20,0\n' > stick.csv
run 0 pgraph play walks.reprise --script stick.csv --seconds 34 -o stick.bvh --json
holds '.sums.forced == 0 and .sums.answers == 2 and .sums.response_max_s < 2.5'
for from in 14 28; do
	holds "[.motions[] | select(.start_s > $from and .start_s < $from + 5) | .requested.turn_deg | fabs] | length > 2 and max < 25"
done
