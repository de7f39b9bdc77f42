# Names from files reach a terminal only escaped, and never break JSON.
source "$(dirname "$0")/lib/common.bash"

bvh()
{
	printf 'HIERARCHY\nROOT %b\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n' "$1"
	printf 'JOINT %b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0.5 0\n}\n}\n}\n' "$2"
	printf 'MOTION\nFrames: 2\nFrame Time: 0.0333333\n0 1 0 0 0 0 0 0 0\n0 1 0.1 0 0 0 0 0 0\n'
}
# An escape that clears the screen, a right-to-left override, a C1 control, a byte that is no UTF-8.
bvh 'Hips\033[2J\xff' 'a\xe2\x80\xaeb\xc2\x9bc' > evil.bvh
run 0 info evil.bvh --joints
! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' .out .err || fail "a control character was shown"
! grep -q $'\xe2\x80\xae\|\xc2\x9b' .out .err || fail "a dangerous character was shown"
! LC_ALL=C grep -q $'\xff' .out .err || fail "a byte that is no UTF-8 was shown"
says '\x1b[2J'
says '\u202e'
run 0 info evil.bvh --joints --json
holds '.clips[0] | .joints == 2'
! grep -qP '[\x00-\x09\x0b-\x1f\x7f]' .out || fail "a control character in JSON"
! grep -q $'\xe2\x80\xae\|\xc2\x9b' .out || fail "a dangerous character in JSON"
iconv -f UTF-8 -t UTF-8 .out > /dev/null || fail "JSON is no UTF-8"

# File names as well: in errors, findings, results, tables.
name=$'x\033[31m\nred\xff.bvh'
cp evil.bvh "$name"
run 0 info "$name"
says 'x\x1b[31m\nred\xff.bvh'
run 0 info "$name" --json
holds '.clips[0] | .file | test("red")'
# A name that is no UTF-8 is taken for Latin-1 where UTF-8 is wanted.
run 0 library add latin.reprise "$name"; run 0 library list latin.reprise --json; holds '.clips[0].name | endswith("red\u00ff")'
# The same bytes under another name are the same clip.
run 0 library add latin.reprise evil.bvh --json; json .existing 1; json .added 0
printf 'nonsense' > $'bad\033]0;title\007.bvh'
run 3 info $'bad\033]0;title\007.bvh'
tells 'bad\x1b]0;title\x07.bvh:1:'
run 3 info $'gone\033[2J.bvh'
tells 'gone\x1b[2J.bvh: there is no such file'
run 3 info $'gone\xff.bvh' --json
holds '.error.file | test("gone")'
run 2 $'inf\033o'
tells 'inf\x1bo'
