# show: pages of clips, of models, and of both.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 5 --fps 30 -o walk.bvh
run 0 library add moves.reprise walk.bvh
run 0 graph build moves.reprise --threshold 0.1
run 0 bundle moves.reprise -o moves.rpb
run 0 locomotion build moves.reprise
run 0 bundle moves.reprise --model locomotion -o gaits.rpb

# How many things of a kind the page holds.
page_holds() {
	sed -n '/id="data">/,/<\/script>/p' "$1" | sed 's/.*id="data">//; s/<\/script>.*//' | jq -e "$2" >/dev/null || fail "$1: $2"
}

run 0 show walk.bvh -o page.html --json; silent
json .schema reprise-show-1
json .clips 1; json .models 0; holds ".bytes == $(stat -c %s page.html)"
page_holds page.html '(.clips | length) == 1 and .models == [] and .runtime == null'

# Models alone, and in any order with clips.
run 0 show moves.rpb -o models.html --title Drive --json; silent
json .clips 0; json .models 1
page_holds models.html '.clips == [] and (.models | map(.name)) == ["moves"] and (.runtime | type) == "string"'
page_holds models.html '.models[0] | (.points | length) == .pointCount and (.limbs | length) > 10 and (.bundle | length) > 1000'
grep -q '<title>Drive</title>' models.html || fail "no title"
run 0 show walk.bvh gaits.rpb moves.reprise moves.rpb -o both.html
says "both.html: 2 clips, 2 models to drive, "
page_holds both.html '(.clips | map(.name)) == ["walk", "walk"] and (.models | map(.name)) == ["gaits", "moves"]'
run 0 show ./moves.rpb -o again.html --title Drive
cmp models.html again.html || fail "the same model gives another page"
run 0 show moves.rpb -o one.html; says "one.html: 1 model to drive, "

# What goes wrong: named, and nothing is written.
head -c 5000 moves.rpb >cut.rpb
run 3 show walk.bvh cut.rpb -o no.html; tells "cut.rpb: the bundle is damaged"
run 3 show cut.rpb -o no.html --json
run 3 show none.rpb -o no.html; tells "none.rpb: it cannot be opened"
run 3 show none.bvh moves.rpb -o no.html; tells "none.bvh"
cp walk.bvh walk.rpb
run 3 show walk.rpb -o no.html; tells "no bundle"; tells "reprise bundle LIB.reprise -o FILE.rpb"
run 2 show moves.rpb -o moves.rpb
run 2 show -o no.html
run 2 show
absent no.html
