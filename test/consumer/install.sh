#!/usr/bin/env bash
# An outside project builds and runs against what `make install` puts down, through pkg-config and through CMake, for
# all libraries; the engine does without the performer; the runtime needs libc and libm alone; only rp… symbols are visible; uninstall leaves nothing.
set -euo pipefail
fail() {
	echo "FAILED: $*" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage
DESTDIR=$stage cmake --install "$REPRISE_BUILD" --prefix /opt/reprise >"$work/install.log"
prefix=$stage/opt/reprise
libdir=$(dirname "$(find "$prefix" -name 'libreprise.so')")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
source=$REPRISE_SOURCE/test/consumer

echo "pkg-config"
for library in reprise reprise_performer reprise_play; do
	# shellcheck disable=SC2046
	cc -std=c17 -Wall -Werror "$source/$library.c" -o "$work/$library" $(pkg-config --cflags --libs $library)
	"$work/$library" "$work/out.bvh"
done

echo "the static runtime"
cc -std=c17 -Wall -Werror -DRP_STATIC "$source/reprise_play.c" -o "$work/static_play" -I"$prefix/include" "$libdir/libreprise_play.a" -lm
"$work/static_play" "$work/out.bvh"
! ldd "$work/static_play" | grep -q reprise || fail "the static program needs a library of ours"

echo "CMake"
cmake -S "$source" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; fail cmake; }
cmake --build "$work/build" >>"$work/cmake.log" || { cat "$work/cmake.log"; fail build; }
"$work/build/with_reprise" "$work/out.bvh"
"$work/build/with_performer" "$work/out.bvh"
! ldd "$work/build/with_reprise" | grep -q libreprise_performer || fail "the engine needs the performer"
"$work/build/with_play"
"$work/build/with_static_play"

echo "what the runtime needs"
needed=$(readelf -d "$libdir/libreprise_play.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $needed in
"libc.so.6 " | "libc.so.6 libm.so.6 ") ;;
*) fail "libreprise_play needs $needed" ;;
esac
nm -D --undefined-only "$libdir/libreprise_play.so" | awk '{print $2}' | grep -E '^(pthread_|GOMP_|omp_|sqlite3_|cairo_|json_)' && fail "foreign symbols"

echo "what can be seen"
for library in reprise reprise_performer reprise_play; do
	foreign=$(nm -D --defined-only "$libdir/lib$library.so" | awk '{print $3}' | grep -vE '^rp[A-Z]' || true)
	[ -z "$foreign" ] || fail "lib$library shows $foreign"
	# Every function that the headers promise is there, and nothing else.
	readelf -d "$libdir/lib$library.so" | grep -q 'SONAME' || fail "lib$library has no SONAME"
done
# promised HEADER...: the functions that they declare.
promised() { sed -n 's/.*RP_API[^;]*[ *]\(rp[A-Z][A-Za-z0-9_]*\)(.*/\1/p' "$@" | sort -u; }
promised "$prefix"/include/reprise/*.h "$prefix"/include/reprise/play/*.h >"$work/promised"
# Someone who includes reprise/play/ alone cannot meet a link error.
promised "$prefix"/include/reprise/play/*.h >"$work/promised_play"
nm -D --defined-only "$libdir/libreprise_play.so" | awk '{print $3}' | sort >"$work/play"
diff "$work/promised_play" "$work/play" || fail "reprise/play/ and libreprise_play differ"
for library in reprise reprise_performer; do
	nm -D --defined-only "$libdir/lib$library.so" | awk '{print $3}' | sort >"$work/there_$library"
done
[ -z "$(comm -12 "$work"/there_*)" ] || fail "in both: $(comm -12 "$work"/there_*)"
sort -u "$work"/there_* >"$work/there"
[ -z "$(comm -23 "$work/promised" "$work/there")" ] || fail "promised, but not there: $(comm -23 "$work/promised" "$work/there")"
[ -z "$(comm -13 "$work/promised" "$work/there")" ] || fail "there, but in no header: $(comm -13 "$work/promised" "$work/there")"

echo "every header stands alone, in C and (where there is a compiler) in C++"
for header in "$prefix"/include/reprise/*.h "$prefix"/include/reprise/play/*.h; do
	echo "#include \"${header#"$prefix/include/"}\"" >"$work/alone.c"
	cc -std=c17 -Wall -Werror -fsyntax-only -I"$prefix/include" "$work/alone.c"
	for compiler in g++ clang++; do
		! command -v $compiler >/dev/null ||
			$compiler -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ -I"$prefix/include" "$work/alone.c"
	done
done

echo "the program, its manual and completions"
"$prefix/bin/reprise" --version | grep -q "$(sed -n 's/.*MAJOR //p' "$prefix/include/reprise/play/version.h")\." || fail version
for file in share/man/man1/reprise.1 share/man/man1/reprise-convert.1 share/bash-completion/completions/reprise \
	share/zsh/site-functions/_reprise share/fish/vendor_completions.d/reprise.fish; do
	[ -s "$prefix/$file" ] || fail "$file is missing"
done

echo "the module for browsers"
for file in reprise-play.wasm reprise-play.js reprise-play.d.ts package.json README.md LICENSE; do
	[ -s "$prefix/share/reprise/web/$file" ] || fail "share/reprise/web/$file is missing"
done
if command -v node >/dev/null; then
	node --input-type=module -e "
		import fs from 'node:fs';
		import { createEngine } from '$prefix/share/reprise/web/reprise-play.js';
		console.log((await createEngine(fs.readFileSync('$prefix/share/reprise/web/reprise-play.wasm'))).version);" |
		grep -q "$("$prefix/bin/reprise" --version | grep -o '[0-9.]*$')" || fail "the module's version"
fi

echo "uninstall"
"$REPRISE_SOURCE/tools/uninstall" "$stage" /opt/reprise
[ -d "$prefix" ] && [ -z "$(ls "$prefix")" ] || fail "only what is below the prefix should go: $(find "$stage")"
[ -z "$(find "$stage" -type f -o -type l)" ] || fail "left behind: $(find "$stage" -type f -o -type l)"
