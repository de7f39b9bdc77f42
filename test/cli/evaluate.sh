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
says slide_mm_mean; says "contacts stored"; says stances

# Contacts found anew are held against the stored ones.
run 0 evaluate walk.bvh --contacts auto --json
json .contact_source detected
holds '.contact_f1 > 0.9'
run 0 convert walk.bvh -o bare.bvh --no-sidecar
run 0 evaluate bare.bvh --truth walk.bvh --json
json .contact_source detected
holds '.contact_f1 > 0.9'

# Frames are looked at, not contacts: what slides while no contact is stored slides all the same.
run 0 convert walk.bvh -o none.bvh --no-sidecar
run 0 evaluate none.bvh --json
json .contact_source none
holds '.contacts == 0 and .contacts_disagree == null and .skate_ratio == 0 and .stances > 5'
awk '/^Frame Time/ {print; start = NR; next} start {$1 += 0.3 * (NR - start) / 60} {print}' none.bvh > slides.bvh
run 0 evaluate slides.bvh --no-repair --json
holds '.skate_ratio > 0.9 and .pushoff_ratio > 0.9 and .slide_mm_median > 80'
run 5 evaluate slides.bvh --no-repair --limits default; tells "skate_ratio is"

# Against references: in JSON what they show, on the terminal in brackets.
run 0 evaluate walk.bvh --reference walk.bvh --limits default --json
holds '.references == 1 and .reference.step_time_s == .step_time_s and .reference.knee_least_deg == .knee_least_deg'
awk '/^Frame Time/ {print; start = NR; next} start {$2 += 0.04} {print}' none.bvh > raised.bvh
run 5 evaluate raised.bvh --no-repair --reference walk.bvh --limits default --json
json '.exceeded | length' 1
json '.exceeded[0].measure' floor_mm
run 5 evaluate raised.bvh --no-repair --reference walk.bvh --limits default; says "in brackets"; tells "floor_mm is 40, more than 10"
run 0 evaluate raised.bvh --no-repair --limits default

# What was made is judged as it stands, without asking: the same with its JSON file, whose hash is written anew.
run 0 perform walk --seconds 4 --fps 60 -o whole.bvh
cp whole.json spoilt.json
awk '/^Frame Time/ {print; start = NR; next} start && NR - start == 60 {$2 += 0.5} start {$2 += 0.04} {print}' whole.bvh > spoilt.bvh
run 0 evaluate spoilt.bvh --json --ignore-sidecar --no-repair
sum=$(jq -r '.provenance.inputs[0].hash' .out)
sed -i "s/\"hash\": \"[0-9a-f]*\"/\"hash\": \"$sum\"/; s/whole.bvh/spoilt.bvh/" spoilt.json
run 0 evaluate spoilt.bvh --json
json .contact_source stored
holds '.floor_mm > 35 and .hip_jump_mps > 10 and .warnings == []'

# A jump of the hips needs no reference.
awk '/^Frame Time/ {print; start = NR; next} start && NR - start > 100 {$3 += 0.1333} {print}' none.bvh > jumps.bvh
run 5 evaluate jumps.bvh --no-repair --limits default --json
holds '[.exceeded[].measure] | index("hip_jump_mps") != null'

# References out of a library: the clips that the sidecar names.
run 0 perform walk --seconds 4 --fps 60 --speed 1.5 -o fast.bvh
run 0 library add moves.reprise walk.bvh fast.bvh
run 0 transition 'moves.reprise#walk@2' 'moves.reprise#walk@1' -o again.bvh
run 0 evaluate again.bvh --reference moves.reprise --json
json .references 1
run 0 perform run --seconds 2 --fps 60 -o run.bvh
run 3 evaluate run.bvh --reference moves.reprise; tells 'holds no clip that "run.bvh" was made from'
run 0 evaluate again.bvh --reference . --json
holds '.references > 2'

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
