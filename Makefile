# The front door: everything a person runs. The build itself is CMake (CMakeLists.txt, CMakePresets.json).
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
STUDIO_DIR ?= out/project

configure_tests = test -f build/build.ninja && grep -qs '^SHOSA_BUILD_TESTS:BOOL=ON' build/CMakeCache.txt || \
  cmake --preset dev -DSHOSA_BUILD_TESTS=ON

.PHONY: help build test demo motions web studio bench fuzz lint format install clean

help:
	@echo "make build    the program, build/shosa"
	@echo "make demo     build, then make clips and pictures in out/demo"
	@echo "make motions  build, then write the motions that ship into out/motions"
	@echo "make web      the engine for browsers and Node.js: web/engine/dist (npm package) and out/web (sample pages)"
	@echo "make studio   the studio: build/shosa with the web page inside, and the page as a static folder, out/studio;"
	@echo "              from a terminal it then opens on the folder STUDIO_DIR=$(STUDIO_DIR)"
	@echo "make test     build everything and run all tests"
	@echo "make bench    run the benchmarks (asserts off, build-release/)"
	@echo "make fuzz     run every fuzzer for FUZZ_SECONDS=$(FUZZ_SECONDS) each (build-fuzz/)"
	@echo "make lint     formatting, layers, documents, clang-tidy (LINT_SINCE=COMMIT: tidy only files changed since)"
	@echo "make format   format the sources in place"
	@echo "make install  install program, headers and libraries below PREFIX=$(PREFIX)"
	@echo "make clean    remove build*/ and out/"
	@echo "Missing Debian packages are installed first (tools/setup); SHOSA_NO_INSTALL=1 only names them."

# Configured without tests at first, so that the program alone asks for no test packages.
build:
	@tools/setup build
	@test -f build/build.ninja || cmake --preset dev -DSHOSA_BUILD_TESTS=OFF
	@cmake --build build -j $(JOBS) --target shosa

demo: build
	@build/shosa demo -o out/demo

motions: build
	@cmake --build build -j $(JOBS) --target make_motions
	@build/make_motions out/motions

web:
	@tools/setup web
	@tools/web $(JOBS)

studio:
	@tools/setup build web
	@tools/studio $(JOBS)
	@$(MAKE) --no-print-directory build
	@if [ -t 1 ]; then mkdir -p $(STUDIO_DIR) && exec build/shosa studio $(STUDIO_DIR); fi

test:
	@tools/setup build test web
	@$(configure_tests)
	@tools/studio $(JOBS)
	@cmake --build build -j $(JOBS)
	@ctest --test-dir build --output-on-failure -j $(JOBS)

bench:
	@tools/setup build bench web
	@cmake --preset release
	@cmake --build build-release -j $(JOBS)
	@for program in build-release/benchmarks/*_bench; do echo "== $$program"; $$program $(BENCH_ARGS) || exit 1; done
	@tools/web $(JOBS)
	@node web/engine/benchmarks/speed.mjs build-release/web/engine/benchmarks/native_speed

fuzz:
	@tools/setup build fuzz
	@cmake --preset fuzz
	@cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@tools/fuzz build-fuzz $(FUZZ_SECONDS)

lint:
	@tools/setup build lint
	@cmake --preset lint
	@tools/lint build-lint $(LINT_SINCE)

format:
	@tools/setup lint
	@git ls-files '*.cpp' '*.h' | xargs clang-format -i

install: build
	@cmake --build build -j $(JOBS)
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-release build-fuzz build-lint build-web out web/engine/dist web/engine/node_modules studio/node_modules
