# Help, man pages and completion: all from one table.
source "$(dirname "$0")/lib/common.bash"

commands="info convert picture show library perform demo help version"
verbs="add list show label remove rename export check"

run 0 help
silent
for command in $commands; do says "$command"; done
[ "$(wc -L < .out)" -le 100 ] || fail "help is too wide"

check_page()
{
	run 0 help "$@"
	says "Usage"
	says "Examples"
	[ "$(sed -n '/^Examples/,$p' .out | grep -c '^  reprise\|^  .*reprise')" -ge 3 ] || fail "not three examples: $*"
	[ "$(sed '/^Examples/,$d' .out | wc -L)" -le 100 ] || fail "help $* is too wide"
	cp .out .page
	run 0 "$@" --help
	cmp -s .page .out || fail "$* --help differs from help $*"
	run 0 "$@" -h
	cmp -s .page .out || fail "$* -h differs from help $*"
}
for command in $commands; do check_page "$command"; done
for verb in $verbs; do check_page library "$verb"; done
# On a narrow terminal its sentences are broken between words.
if script -qc true /dev/null < /dev/null > /dev/null 2>&1; then
	script -qc "stty cols 40; '$REPRISE' help demo" /dev/null < /dev/null > .narrow
	[ "$(tr -d '\r' < .narrow | sed -n '/^Performs/,/^$/p' | wc -L)" -le 40 ] || fail "not wrapped: $(cat .narrow)"
	rm .narrow
else
	echo "skipped: no terminal of 40 columns to try (script cannot make one)"
fi
run 0 help clips; says "walk.bvh@1.5..3"
run 0 help codes; says "130"
run 0 --help; says "Commands"
run 2 help nonsense; tells 'no command or topic "nonsense"'
run 2 help nonsense --json; holds '.error.message | contains("nonsense")'
run 2 help convrt; tells "did you mean reprise help convert?"

# Every example of the table names a command that exists, with options that it has.
"$REPRISE" help --json > .out
json .schema reprise-help-1
jq -r '.commands[].name' .out | while read -r name; do
	"$REPRISE" help $name | sed -n '/^Examples/,$p' | { grep -o -- ' --[a-z-]*' || true; } | sort -u | while read -r option; do
		jq -e --arg o "${option#--}" '[.commands[].options[].name] | index($o)' .out > /dev/null ||
			fail "an example of $name uses $option, which does not exist"
	done
done

# Version.
run 0 version; grep -qE '^reprise [0-9]+\.[0-9]+\.[0-9]+$' .out || fail "version"
run 0 --version; says "reprise "
run 0 version --json; json .schema reprise-version-1; holds '.version | test("^[0-9]+\\.[0-9]+\\.[0-9]+$")'

# Man pages.
check_man()
{
	"$REPRISE" help --man "$@" > .out 2> .err
	head -1 .out | grep -q '^\.TH "REPRISE' || fail "man page without title: $*"
	grep -q '^\.SH NAME' .out || fail "man page without name: $*"
	grep -q '^\.SH "*EXAMPLES\|^\.SH COMMANDS' .out || fail "man page without examples: $*"
	if command -v groff > /dev/null; then
		groff -man -Tutf8 -ww -z .out 2> .err || true
		[ ! -s .err ] || fail "groff complains: $*"
	fi
}
check_man
for command in $commands; do check_man "$command"; done
for verb in $verbs; do check_man library "$verb"; done

run 0 help --commands
says library-add
while read -r command; do check_man "$command"; done < <("$REPRISE" help --commands)

# Completion: the scripts parse, and bash's answers.
for shell in bash zsh fish; do
	run 0 help --completion $shell
	exists .out
	! command -v $shell > /dev/null || $shell -n .out || fail "$shell does not parse its completion"
	for command in $commands; do says "$command"; done
done
run 2 help --completion tcsh; tells "bash|zsh|fish"
"$REPRISE" help --completion bash > completion.bash
complete_words() { bash -c 'source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _reprise; echo "${COMPREPLY[*]}"' bash "$@"; }
[ "$(complete_words reprise conv)" = convert ] || fail "completion of a command"
[ "$(complete_words reprise library ex)" = export ] || fail "completion of a library command"
[ "$(complete_words reprise convert --mirr)" = --mirror ] || fail "completion of an option"
[ "$(complete_words reprise info --up '')" = "x y z" ] || fail "completion of a value"
touch walk.bvh
[ "$(complete_words reprise info wa)" = walk.bvh ] || fail "completion of a file"

# docs/commands.md is what the table says.
if [ -n "${REPRISE_SOURCE:-}" ]; then
	"$REPRISE" help --markdown > .out
	cmp -s .out "$REPRISE_SOURCE/docs/commands.md" ||
		fail "docs/commands.md is old: build/reprise help --markdown > docs/commands.md"
fi
