# graph over everything that the performer does: walks at random over all labels pass evaluate.
source "$(dirname "$0")/lib/common.bash"

run 0 perform repertoire -o all.reprise
run 0 graph build all.reprise --json
holds '.refused > 1000 and .transitions > 10000'
# Who steps up or down ends higher or lower than he began, so nothing goes on.
holds '[.warnings[] | select(test("goes on for ever") and test("step-down"))] | length == 1'
for seed in 1 2 3 4; do
	run 0 graph walk all.reprise --seconds 60 --seed $seed -o walk.bvh
	run 0 evaluate walk.bvh --limits default
done

# Where feet are not asked, such a walk sinks into steps, or slides.
run 0 graph build all.reprise --name any --any-support --json
json .refused 0
bad=0
for seed in 1 2 3 4; do
	run 0 graph walk all.reprise --name any --seconds 60 --seed $seed -o walk.bvh
	"$REPRISE" evaluate walk.bvh --limits default > /dev/null 2>&1 || bad=$((bad + 1))
done
[ $bad -ge 2 ] || fail "feet need not be asked: $bad of 4 walks are bad without"
