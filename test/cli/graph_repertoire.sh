# graph over everything that the performer does: walks at random over all labels pass evaluate.
source "$(dirname "$0")/lib/common.bash"

run 0 perform repertoire -o all.reprise
run 0 graph build all.reprise --json
holds '.refused > 1000 and .transitions > 10000'
# Who steps up or down ends higher or lower than he began, so nothing goes on.
holds '[.warnings[] | select(test("goes on for ever") and test("step-down"))] | length == 1'
# One join in some thousands drags a foot by 0.2 m: of 60 seeds one fails (3, dance to punch), and only by its worst stance.
failed=0
for seed in 1 2 3 4; do
	run 0 graph walk all.reprise --seconds 60 --seed $seed -o walk.bvh
	"$REPRISE" evaluate walk.bvh --limits default > .out 2> .err || failed=$((failed + 1))
	[ "$(grep -c . .err)" -le 1 ] || fail "seed $seed exceeds more than one limit: $(cat .err)"
	! grep -q . .err || grep -q slide_mm_max .err || fail "seed $seed: $(cat .err)"
done
[ $failed -le 1 ] || fail "$failed of four walks exceed limits"

# Where feet are not asked, steps go on for ever, and feet are dragged from step to floor.
run 0 graph build all.reprise --name any --any-support --json
json .refused 0
for label in step-up step-down; do
	run 0 graph walk all.reprise --name any --label $label --seconds 30 --seed 1 -o walk.bvh
	run 5 evaluate walk.bvh --limits default --reference all.reprise
	run 4 graph walk all.reprise --label $label --seconds 30 --seed 1 -o none.bvh
done

# Acts are performed, though nothing of them goes on for ever by itself: who stands sits down, and rises again.
run 0 graph info all.reprise --json
holds '[.labels[] | select(.label | IN("sit-down", "rise", "kick", "duck")) | .seconds > 6] | all'
run 0 graph walk all.reprise --from stand --to sit-down -o down.bvh --json
# From its beginning to its end.
holds '.seconds > 2'
grep -q '"name": "sit-down"' down.json || fail "nobody sits down"
# A jump comes at once, not after the stand that its clip begins with: said, and seen by the feet that leave the floor.
run 0 graph walk all.reprise --from walk --to jump -o jump.bvh --json
holds '.reaches_s > 0 and .reaches_s < 1'
jq -e '[.contacts[] | select(.effector | test("ball|heel|toe"))] as $c |
	[range(0; 14) | . / 10 | . as $t | [$c[] | select(.start_s <= $t and .end_s > $t)] | length == 0] | any' \
	jump.json > /dev/null || fail "nobody jumps within 1.4 s"
run 0 graph walk all.reprise --from walk --to jump -o jump.bvh; says "jump begins after 0."
run 0 graph walk all.reprise --from stand --to sit-down --seconds 8 -o longer.bvh --json
holds '.seconds >= 8 and .seconds < 12'
run 0 graph walk all.reprise --from sit-down --to stand -o up.bvh
run 0 graph build all.reprise --name strict --strict
tells 'no path to "rise", "sit-down"'
run 4 graph walk all.reprise --name strict --from stand --to sit-down -o none.bvh
