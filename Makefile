# The two commands: `make demo` and `make test`. Everything here only calls tools/setup and the presets of
# CMakePresets.json.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60

.PHONY: all demo test fresh asan tsan fuzz bench lint format install uninstall clean
.NOTPARALLEL:

all:
	@tools/setup build
	@tools/build release

demo: all
	@build/reprise demo -o demo-out

test:
	@tools/setup build test
	@tools/build release asan fuzz
	@tools/run_tests release asan fuzz

fresh:
	@tools/setup fresh
	@tools/fresh

asan tsan:
	@tools/setup build test $@
	@tools/build $@
	@tools/run_tests $@

fuzz:
	@tools/setup build test
	@tools/build fuzz
	@tools/run_fuzzers $(FUZZ_SECONDS)

bench: all
	@tools/setup bench
	@build/reprise-bench files
	@build/reprise-bench kinematics
	@build/reprise-bench engine
	@build/reprise-bench realism --quick

lint:
	@tools/setup build test lint
	@tools/build release
	@tools/check_includes
	@tools/check_format
	@tools/lint

format:
	@tools/setup test
	@tools/check_format --fix

install: all
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

uninstall:
	@tools/uninstall "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf build build-* demo-out
