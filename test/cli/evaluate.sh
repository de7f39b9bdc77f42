# evaluate: the measures, the limits, and what is said of wrong ones.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 4 --fps 60 -o walk.bvh
run 0 evaluate walk.bvh --json
silent
json .schema reprise-evaluate-1
json .contact_source stored
holds '.slide_mm_max < 1 and .skate_ratio == 0 and .penetration_mm_max < 1'
holds '.seam_velocity_ratio_max == null and .path_error_mean_m == null and .contact_f1 == null'
holds '.exceeded == []'
run 0 evaluate walk.bvh --limits default
says slide_mm_mean; says "contacts stored"

# Contacts found anew are held against the stored ones.
run 0 evaluate walk.bvh --contacts auto --json
json .contact_source detected
holds '.contact_f1 > 0.9'
run 0 convert walk.bvh -o bare.bvh --no-sidecar
run 0 evaluate bare.bvh --truth walk.bvh --json
json .contact_source detected
holds '.contact_f1 > 0.9'

# A path beside it.
printf 'x,z\n0,0\n0,20\n' > path.csv
run 0 evaluate walk.bvh --path path.csv --json
holds '.path_error_mean_m < 0.2 and .path_error_max_m >= .path_error_rms_m and .path_error_rms_m >= .path_error_mean_m'
printf '5,0\n5,20\n' > far.csv
run 5 evaluate walk.bvh --path far.csv --max-path 1 --json
json '.exceeded[0].measure' path_error_mean_m
json .error.exit 5
holds '.path_error_mean_m > 4'
run 5 evaluate walk.bvh --path far.csv --limits default; tells path_error_mean_m

# A cut is seen.
run 0 convert walk.bvh walk.bvh -o cut.bvh
run 0 evaluate cut.bvh --reference walk.bvh --json
holds '.seams == 1 and .seam_pose_ratio_max > 2.5 and .seam_velocity_ratio_max > 2.5'
run 5 evaluate cut.bvh --reference walk.bvh --limits default; tells seam_pose_ratio_max

# Limits from a file.
printf '{"jitter": 0.0001}' > limits.json
run 5 evaluate walk.bvh --limits limits.json; tells "jitter is"
printf '{"jiter": 1}' > limits.json
run 3 evaluate walk.bvh --limits limits.json; tells 'no measure "jiter"'
printf '{"jitter": \n oops}' > limits.json
run 3 evaluate walk.bvh --limits limits.json; tells "limits.json:2:"
run 3 evaluate walk.bvh --limits nosuch.json
run 3 evaluate walk.bvh --reference nosuch.bvh
run 3 evaluate walk.bvh --path nosuch.csv
run 2 evaluate walk.bvh --max-slide many
run 2 evaluate
