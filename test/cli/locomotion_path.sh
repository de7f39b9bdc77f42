# locomotion play --path: along a path with gaits, and what is said of wrong ones.
source "$(dirname "$0")/lib/common.bash"

run 0 perform take --seed 1 --fps 60 -o a.bvh --script \
	"stand 2; walk 4 1.2; walk 4 1.3 40; walk 4 1.3 -40; stand 2; walk 3 1.3; run 3 2.8; run 3 2.6 30; walk 3; stand 2; run 3 2.5 -30; stand 2"
run 0 library add moves.reprise a.bvh
run 0 locomotion build moves.reprise --mirror

cat > path.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg"><path d="M 0 0 C 0 -500 400 -700 400 -1200 L 400 -1800"/></svg>
END
run 0 locomotion play moves.reprise --path path.svg --gaits walk:0,run:9@2.6 -o out.bvh --picture out.svg --json
json .picture out.svg; grep -q '<svg' out.svg || fail "no picture"
grep -q '"wanted_path"' out.json || fail "the path is not noted"
json .schema reprise-locomotion-play-1
json .arrived true
holds '.path_m > 17 and .path_m < 20 and .path_error_mean_m < 0.25 and .path_error_max_m < 0.8'
holds '[.transitions[].string[0:1]] | index("S") == 0'
holds '[.transitions[] | select(.string == "LDRF" or .string == "RDLF")] | length == 1'
holds '.output.seconds < 25'
run 0 evaluate out.bvh --json
holds ".slide_mm_median < 0.5 and .slide_mm_mean < 1 and .slide_mm_max < 6"
# Ticks faster than the player's frames.
run 0 locomotion play moves.reprise --path path.svg --gaits walk:0,run:9@2.6 --fps 240 -o fast.bvh
run 0 evaluate fast.bvh --json
holds ".slide_mm_median < 0.5 and .slide_mm_mean < 1 and .slide_mm_max < 6"

# Points in a table; a stand on the way; the same again.
printf 'x,z\n0,0\n0,4\n0,12\n' > path.csv
run 0 locomotion play moves.reprise --path path.csv --gaits walk:0,stand:6@2,walk:6 -o stops.bvh
says "went to the end of a path of 12.0 m"
run 0 locomotion play moves.reprise --path path.csv --gaits walk:0,stand:6@2,walk:6 -o again.bvh
cmp stops.bvh again.bvh || fail "another motion"

# Nobody is that fast, but one may stand as long.
run 2 locomotion play moves.reprise --path path.csv --gaits run:0@100 -o x.bvh; tells "nobody goes 100 m/s"

# A gait that the model does not have.
run 0 perform take --seed 1 --fps 60 -o w.bvh --script "stand 2; walk 4 1.2; walk 3 1.3 30; walk 3 1.3 -30; stand 2; walk 3; stand 2"
run 0 library add walks.reprise w.bvh
run 0 locomotion build walks.reprise --mirror
run 0 locomotion play walks.reprise --path path.csv -o walks.bvh; silent
run 0 locomotion play walks.reprise --path path.csv --gaits walk:0,run:5 -o walks.bvh --json
holds '.warnings | map(select(startswith("run was asked for over") and contains("it walked instead"))) | length == 1'

# What the takes cannot follow is not written, unless it is to be the best there is.
printf '<svg><circle r="30"/></svg>' > round.svg
run 4 locomotion play moves.reprise --path round.svg -o x.bvh; tells "does not follow the path"; tells "--best-effort"
run 0 locomotion play moves.reprise --path round.svg --best-effort -o round.bvh --json
holds '.followed == false and .path_size_m == [0.6, 0.6]'
run 4 locomotion play moves.reprise --path path.csv --max-error 0.0001 -o x.bvh; tells "at most 0.0001 m wanted"
printf '<svg><path d="M0 0L0 -8"/></svg>' > tiny.svg
run 3 locomotion play moves.reprise --path tiny.svg -o x.bvh; tells "--scale 1 makes the path 8 m long"

# Too little time, and what is wrong.
run 0 locomotion play moves.reprise --path path.csv --seconds 3 -o short.bvh --json
json .arrived false
holds '.output.seconds == 3'
run 2 locomotion play moves.reprise --path path.csv --gaits fly:0 -o x.bvh; tells "there is no gait"
run 2 locomotion play moves.reprise --path path.csv --gaits walk -o x.bvh; tells "from which metre"
run 2 locomotion play moves.reprise --path path.csv --gaits walk:5,run:2 -o x.bvh; tells "before the one before"
run 2 locomotion play moves.reprise --path path.csv --gaits walk:0@fast -o x.bvh; tells "no speed"
run 2 locomotion play moves.reprise --path path.csv --script path.csv -o x.bvh; tells "exclude"
run 2 locomotion play moves.reprise --script path.csv --gaits walk:0 -o x.bvh; tells "--gaits"
run 3 locomotion play moves.reprise --path nosuch.svg -o x.bvh
printf '0,0\n1e300,5\n' > bad.csv; run 3 locomotion play moves.reprise --path bad.csv -o x.bvh
tells "bad.csv:2:1: a path has no points beyond 100 km"
printf '1,1\n1,1\n1,1\n' > bad.csv; run 3 locomotion play moves.reprise --path bad.csv -o x.bvh
tells "bad.csv: a path of 0 m; more than 0"
printf '0,0\n' > bad.csv; run 3 locomotion play moves.reprise --path bad.csv -o x.bvh
absent x.bvh
