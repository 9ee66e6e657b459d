# make demo, make test: everything that a fresh Debian machine with Swift needs, they install themselves.

PREFIX ?= /usr/local
SCALE ?= 1
SEED ?= 1
NIGHTS ?= 10000
SEEDS ?= 100..<200
FAULTS ?= 300
# The suites of random models, which take SLUICE_SEEDS.
PROPERTIES = PropertyTests|LateComparisonTests|CacheLimitTests|LateIndexTests|ShortcutTests|LanguageTests|NightTests|RandomFeedTests|RandomPathTests|DriftTests|AncestorTests|LeftOutTests|DryRunTests|NeededTargetsTests|ObjectIDCacheTests|theOrderOfRecordsMakesNoDifference|PlanEqualityTests|DamagedStoreTests|StoreTests\.(Condition|Finding|Change|Writing|Edit)Tests
export FUZZ_SECONDS ?= 600
SLUICE = .build/release/sluice
SOURCES = Package.swift Sources Tests
# What runners need, and who looks at them: of an environment of its own.
PYTHON = .build/python/bin/python3
PYTHON_SOURCES = Documentation/pictures/draw Documentation/pictures/pages Documentation/site/build Packaging/install-pages Packaging/sbom .ci/lint-comments .ci/lint-names .ci/lint-pointers .ci/lint-threads Sources/Runners Sources/Runners/sluice-duckdb Tests/Plan Tests/Eyes Tests/Mutants
# The binary brings the Swift runtime along, so that it runs on a server that has no Swift. It holds no path of this
# folder, and the compiler does not choose between equals by chance (by addresses): the same sources give the same bytes.
# No name is looked up in the binary, and no library beside it; libraries that few runs need are loaded by those that
# do (`Sources/CLater`): so it starts in half the time.
RELEASE = -c release --static-swift-stdlib --product sluice -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
  --disable-local-rpath -Xlinker --no-export-dynamic
STEADY = $(shell setarch --addr-no-randomize true 2>/dev/null && echo setarch --addr-no-randomize)

.PHONY: demo build test cluster-test properties faults torture mutants sanitize nights fuzz lint format schema types pictures bench install deb tarball try-deb release try-release apt try-apt reproduce container docs setup setup-packages setup-python setup-docs clean

demo: build
	@rm -rf .build/demo && mkdir -p .build/demo
	$(SLUICE) run Pipelines/iso-3166.jsonc --store .build/demo/iso-3166.sqlite
	@echo
	$(SLUICE) run Pipelines/berlin-transit.jsonc --store .build/demo/berlin-transit.sqlite
	@echo
	Samples/places.sh $(SLUICE) .build/demo

build: setup
	$(STEADY) swift build $(RELEASE)

# The end-to-end tests run the command as it is delivered. A stranger's package is built in the same folder: so it finds
# the modules of Sluice compiled. (With the plan of one package kept, nothing would be done for the other.)
test: build setup-python
	swift build --disable-build-manifest-caching --build-tests
	swift build --disable-build-manifest-caching --package-path Tests/Consumer --scratch-path .build
	TEST_DELIVERED=1 TEST_CONSUMER=$(CURDIR)/.build/debug Tests/run

# Plans on Spark, on this machine; Java and pyspark, some 500 MB, are installed for it.
cluster-test: setup
	@.ci/setup cluster
	swift build --build-tests
	SLUICE_CLUSTER=1 swift test --skip-build --filter 'PlanEqualityTests/spark|ClusterRunTests'

# The random models, on other seeds than the few that `make test` takes. SEEDS='0..<60' has those that it took once.
properties: setup
	swift build --build-tests
	SLUICE_SEEDS='$(SEEDS)' swift test --skip-build --filter '$(PROPERTIES)'

# Runs that are killed, whose calls fail, whose disk fills up, and whose power goes: some thousand, in half an hour.
faults: setup
	swift build --build-tests
	SLUICE_FAULTS=long swift test --skip-build --filter FaultTests

# Each call of each scenario fails once, from then on, and as the last of its process: some 40,000 runs, in an hour or two.
# Of allocations, one in STEP; ONLY=reading,night tries some faults, or some scenarios.
torture: build
	swift build --build-tests
	SLUICE_FAULTS=torture TEST_DELIVERED=1 TMPDIR=/dev/shm $(if $(ONLY),SLUICE_TORTURE='$(ONLY)') \
		$(if $(STEP),SLUICE_TORTURE_STEP=$(STEP)) swift test --skip-build --filter TortureTests

# Small faults in the sources, each of which a test is to notice: FAULTS of them, drawn by SEED, in a copy of the sources.
mutants: setup-python
	rm -rf .build/mutants/Sources .build/mutants/Tests && mkdir -p .build/mutants
	git archive HEAD | tar -x -C .build/mutants
	mkdir -p .build/mutants/.build && ln -sfn "$(CURDIR)/.build/python" .build/mutants/.build/python
	$(PYTHON) Tests/Mutants/mutants.py --tree .build/mutants --sample $(FAULTS) --seed $(SEED) $(if $(MODULES),--modules $(MODULES))

# All tests with AddressSanitizer, then with ThreadSanitizer: two hours. FILTER='FetchTests' takes some.
sanitize: setup
	Tests/sanitize

# Histories of stores by seed, compared with a naive model after each night: see Tests/Nights/README.md.
nights: setup
	Tests/Nights/run $(NIGHTS) $(SEED) $(if $(WAYS),--ways $(WAYS)) $(if $(SHORTEN),--shorten $(SHORTEN))

# What libFuzzer finds in ten minutes for each harness, see Tests/Fuzz; FUZZ_SECONDS=60 is shorter.
fuzz: setup
	Tests/Fuzz/run

lint: setup setup-python
	swift format lint --strict --recursive $(SOURCES)
	swift format lint --strict --configuration .swift-format-product --recursive Sources
	$(PYTHON) .ci/lint-pointers
	$(PYTHON) .ci/lint-names
	$(PYTHON) .ci/lint-threads
	$(PYTHON) .ci/lint-comments
	$(PYTHON) -m ruff check $(PYTHON_SOURCES)
	$(PYTHON) -m ruff format --check $(PYTHON_SOURCES)
	$(PYTHON) -m mypy .ci/lint-comments
	$(PYTHON) -m mypy .ci/lint-names
	$(PYTHON) -m mypy .ci/lint-pointers
	$(PYTHON) -m mypy .ci/lint-threads
	$(PYTHON) -m mypy Documentation/pictures/draw
	$(PYTHON) -m mypy Documentation/pictures/pages
	$(PYTHON) -m mypy Documentation/site/build
	$(PYTHON) -m mypy Packaging/install-pages
	$(PYTHON) -m mypy Packaging/sbom
	$(PYTHON) -m mypy Sources/Runners/sluice-duckdb
	$(PYTHON) -m mypy Sources/Runners
	$(PYTHON) -m mypy Tests/Plan
	$(PYTHON) -m mypy Tests/Eyes
	$(PYTHON) -m mypy Tests/Mutants

format: setup-python
	swift format --in-place --recursive $(SOURCES)
	$(PYTHON) -m ruff format $(PYTHON_SOURCES)

# The JSON Schema of definitions, written anew after a change of the table of keys; the tests compare.
schema: setup
	swift build --build-tests
	SLUICE_WRITE_SCHEMA=1 swift test --skip-build --filter SchemaTests.isMadeOfTheTable

# The types of programs that are in the repository, as `sluice swift` writes them now; the tests compare.
types:
	swift build --product sluice
	for file in $$(ls Pipelines/*.jsonc | grep -v gtfs); do \
		.build/debug/sluice swift $$file -o Tests/Consumer/Sources/Types/$$(basename $$file .jsonc).swift || exit 1; \
	done
	.build/debug/sluice swift Pipelines/gtfs.jsonc -o Tests/Consumer/Sources/GTFSTypes/gtfs.swift
	.build/debug/sluice swift Pipelines/berlin-transit.jsonc -o Samples/timetable-app/Sources/Timetable/Transit.swift
	.build/debug/sluice swift Samples/timetable-app/favourites.jsonc -o Samples/timetable-app/Sources/Timetable/Favourites.swift
	.build/debug/sluice swift Tests/StoreTests/Definitions/catalogue.jsonc -o Tests/StoreTests/Catalogue.swift
	.build/debug/sluice swift Tests/StoreTests/Definitions/odd.jsonc -o Tests/StoreTests/Odd.swift
	.build/debug/sluice swift Benchmarks/transit.jsonc -o Benchmarks/objects/Sources/Objects/Transit.swift

# The pictures of README and of the pages, drawn anew: of what the command says, and of what was measured. Chromium, some
# 300 MB, is installed for those of pages.
pictures: build
	@.ci/setup pictures
	Documentation/pictures/draw $(SLUICE)
	Documentation/pictures/pages $(SLUICE)

# The pages as a site, in .build/site; BASE=/sluice if a server will not show it at its top.
docs: setup-docs
	swift build --target Sluice
	Documentation/site/build .build/python-docs/bin/mkdocs $(BASE)

bench: build
	python3 Benchmarks/bench.py --scale $(SCALE)

# The command, pages of the manual, completions, schemas, documentation, units of systemd.
install: build
	Packaging/stage $(SLUICE) "$(DESTDIR)" "$(PREFIX)"

# The packages, see Packaging/README.md; what they are called is said at the end.
deb: setup-packages build
	@Packaging/deb

tarball: setup-packages build
	@Packaging/tarball

# The Debian package in a new Debian that has nothing else: as root, with a mirror of Debian.
try-deb: deb
	lintian --fail-on error,warning --allow-root .build/packages/*.deb
	Packaging/try-deb .build/packages/*.deb

# An image, see Documentation/containers.md.
container: setup-packages build
	Packaging/container

# All that a release has, of the last commit, in .build/packages/release; SIGN=gpg:KEY signs it, see Packaging/README.md.
release: setup-packages build
	@SIGN='$(SIGN)' Packaging/release

# A repository of apt from the Debian package, in .build/packages/apt: SIGN=gpg:KEY signs it, URL= is where it will be.
apt: deb
	@SIGN='$(SIGN)' URL='$(URL)' Packaging/apt $(or $(DEBS),.build/packages/sluice_*.deb)

# The same in a new Debian, with a key that is thrown away.
try-apt: deb
	Packaging/try-apt .build/packages/sluice_*.deb

# What there is of a release, as who downloads it looks at it; and its image.
try-release: release
	@.ci/setup release
	Packaging/try-release .build/packages/release

# Whether a second build, in another folder, gives the same release.
reproduce: release
	Packaging/reproduce

setup:
	@.ci/setup

setup-packages:
	@.ci/setup packages

setup-python:
	@.ci/setup python

setup-docs:
	@.ci/setup docs

clean:
	rm -rf .build
