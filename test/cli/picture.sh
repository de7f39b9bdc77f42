# picture and show.
source "$(dirname "$0")/lib/common.bash"

run 0 perform walk --seconds 2 -o walk.bvh
run 0 perform jump -o jump.bvh
png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "$1 is no PNG"; }
png_size() { od -An -tu1 -j16 -N8 "$1" | awk '{print $1*16777216+$2*65536+$3*256+$4 "x" $5*16777216+$6*65536+$7*256+$8}'; }

run 0 picture walk.bvh -o walk.png; says walk.png; silent; png walk.png
run 0 picture walk.bvh -o sized.png --size 640x200 --figures 5 --title ''
[ "$(png_size sized.png)" = 640x200 ] || fail "size $(png_size sized.png)"
run 0 picture walk.bvh@0.5..1 -o walk.svg --title '<b>&"title' --json
json .schema reprise-picture-1; json .output walk.svg
grep -q '<svg' walk.svg || fail "no SVG"
! grep -q '<b>' walk.svg || fail "the title is not escaped"
run 0 picture walk.bvh@1 -o moment.png; png moment.png
run 2 picture walk.bvh -o walk.jpg; tells ".png .svg"
run 2 picture walk.bvh -o x.png --size 10; tells "WIDTHxHEIGHT"
run 2 picture walk.bvh -o x.png --size 1x1; tells "WIDTHxHEIGHT"
run 2 picture walk.bvh -o x.png --size 99999x99999; tells "WIDTHxHEIGHT"
run 2 picture walk.bvh -o x.png --figures 0; tells "--figures"
run 2 picture walk.bvh jump.bvh -o x.png; tells "one argument too many"
run 3 picture nosuch.bvh -o x.png
absent x.png

run 0 show walk.bvh jump.bvh -o page.html --title 'A <title> & more'; says "2 clips"
grep -qi '<!doctype html>' page.html || fail "no HTML"
! grep -qF '<title> & more' page.html || fail "the title is not escaped"
! grep -qE '(src|href)="(https?:)?//' page.html || fail "the page needs something from elsewhere"
run 0 show walk.bvh -o page.html --json; json .clips 1; json .schema reprise-show-1
run 2 show walk.bvh -o walk.bvh; tells ".html"
run 3 show walk.bvh nosuch.bvh -o other.html; absent other.html
run 0 library add l.reprise walk.bvh jump.bvh
run 0 show l.reprise -o all.html --json; json .clips 2
