#!/usr/bin/env bash
# Code in the documentation that names its file (a fence opened by ```c samples/NAME.c) is that file's text, or a part
# of it, to the letter. Every sample is quoted somewhere. What README says that the program prints of a captured take (a
# fence opened by ```text reprise COMMAND FILE) is what it prints, where there is capture.
set -eu
cd "$REPRISE_SOURCE"
failures=0
blocks=0
declare -A quoted

check()
{
	local page=$1 line=$2 file=$3 block=$4
	blocks=$((blocks + 1))
	quoted[$file]=1
	if [ ! -f "$file" ]; then
		echo "$page:$line: quotes $file, which does not exist"
		failures=$((failures + 1))
	elif [ -z "$block" ] || [[ $(cat "$file") != *"$block"* ]]; then
		echo "$page:$line: is not what stands in $file"
		failures=$((failures + 1))
	fi
}

for page in README.md docs/*.md; do
	[ -f "$page" ] || continue
	file='' block='' number=0 start=0
	while IFS= read -r line || [ -n "$line" ]; do
		number=$((number + 1))
		if [ -n "$file" ]; then
			if [ "$line" = '```' ]; then
				check "$page" "$start" "$file" "${block%$'\n'}"
				file='' block=''
			else
				block+=$line$'\n'
			fi
		elif [[ $line =~ ^'```c '([^ ]+)$ ]]; then
			file=${BASH_REMATCH[1]}
			start=$number
		fi
	done < "$page"
	if [ -n "$file" ]; then
		echo "$page:$start: the block does not end"
		failures=$((failures + 1))
	fi
done

printed=$(sed -n '/^```text reprise /{s/^```text reprise //p;q}' README.md)
if [ -f "${REPRISE_MOCAP:-}/${printed#* }" ]; then
	blocks=$((blocks + 1))
	if ! diff <(sed -n '/^```text reprise /,/^```$/p' README.md | sed '1d;$d') \
		<("$REPRISE" "${printed%% *}" "$REPRISE_MOCAP/${printed#* }" 2>/dev/null); then
		echo "README.md: this is not what reprise $printed prints"
		failures=$((failures + 1))
	fi
fi

for sample in samples/*.c; do
	if [ -z "${quoted[$sample]:-}" ]; then
		echo "$sample: is quoted nowhere"
		failures=$((failures + 1))
	fi
done
echo "$blocks quotations, $failures wrong"
[ "$failures" -eq 0 ] && [ "$blocks" -gt 0 ]
