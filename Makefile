# The two commands: `make demo` and `make test`. Everything here only calls tools/setup and the presets of
# CMakePresets.json.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60

.PHONY: all program demo test wasm page room fresh asan tsan fuzz bench lint format install uninstall clean
.NOTPARALLEL:

all: program
	@echo "build/reprise is there. Try next:"
	@echo "  make demo                             # a minute: motion made and shown, in demo-out/index.html"
	@echo "  build/reprise info YOUR.bvh           # what is in a capture of yours, and what is wrong with it"
	@echo "  build/reprise show YOUR.bvh -o a.html # look at it in a browser"
	@echo "  build/reprise help                    # everything else"

program:
	@tools/setup build
	@tools/build release -- reprise reprise-bench

demo: program
	@build/reprise demo -o demo-out

test:
	@tools/setup build test
	@tools/build release asan fuzz
	@tools/run_tests release asan fuzz

# What runs in a browser, in build-web/: the module around reprise-play.wasm, and the page's script and style. Any build
# makes them too.
wasm page:
	@tools/setup build
	@tools/build_web

# One room's unit tests, for while you work on it: make room ROOM=feet
room:
	@test -d "test/unit/$(ROOM)" && test -n "$(ROOM)" || { echo "make room ROOM=NAME, one of: $$(ls test/unit | xargs)" >&2; exit 2; }
	@tools/setup build test
	@tools/build release -- room_$(ROOM)
	@ctest --test-dir build -L '^$(ROOM)$$' -LE slow --output-on-failure -j "$$(nproc)"

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

bench: program
	@tools/setup bench
	@build/reprise-bench files
	@build/reprise-bench kinematics
	@build/reprise-bench engine
	@build/reprise-bench realism --quick

lint:
	@tools/setup build test lint
	@tools/build release -- reprise reprise-bench
	@tools/check_includes
	@tools/check_libm
	@tools/check_format
	@tools/lint

format:
	@tools/setup test
	@tools/check_format --fix

install:
	@tools/setup build
	@tools/build release -- all
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

uninstall:
	@tools/uninstall "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf build build-* demo-out
