# make demo, make test: everything that a fresh Debian machine with Swift needs, they install themselves.

PREFIX ?= /usr/local
SCALE ?= 1
export FUZZ_SECONDS ?= 600
SLUICE = .build/release/sluice
SOURCES = Package.swift Sources Tests
# The binary brings the Swift runtime along, so that it runs on a server that has no Swift.
RELEASE = -c release --static-swift-stdlib --product sluice

.PHONY: demo build test faults fuzz lint format bench install setup clean

demo: build
	@rm -rf .build/demo && mkdir -p .build/demo
	$(SLUICE) run Pipelines/iso-3166.jsonc --store .build/demo/iso-3166.sqlite
	@echo
	$(SLUICE) run Pipelines/berlin-transit.jsonc --store .build/demo/berlin-transit.sqlite

build: setup
	swift build $(RELEASE)

# The end-to-end tests run the built command; one counts what the command allocates as it is delivered.
test: build
	swift build --build-tests
	swift test --skip-build

# Runs that are killed, whose calls fail, whose disk fills up, and whose power goes: some thousand, in half an hour.
faults: setup
	swift build --build-tests
	SLUICE_FAULTS=long swift test --skip-build --filter FaultTests

# What libFuzzer finds in ten minutes for each harness, see Tests/Fuzz; FUZZ_SECONDS=60 is shorter.
fuzz: setup
	Tests/Fuzz/run

lint: setup
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

bench: build
	python3 Benchmarks/bench.py --scale $(SCALE)

install: build
	install -D -m 755 $(SLUICE) $(DESTDIR)$(PREFIX)/bin/sluice

setup:
	@.ci/setup

clean:
	rm -rf .build
