# make demo · make test · make check · make docs · make bench · make upgrade
#
# Everything lives in .venv and build/; a stamp file stands for each finished step, so that a
# second call does only what has changed. What is installed has the versions that constraints/
# says, on every machine and on every day.
PYTHON ?= python3
CXX_NAME := $(or $(CXX),c++)
VENV := .venv
BIN := $(VENV)/bin
NATIVE_BUILD := build/native-tests
PACKAGE_SOURCES := pyproject.toml CMakeLists.txt README.md LICENSE release/unpacked.py \
	$(shell find native/core native/bind src -name '*.cc' -o -name '*.h' -o -name '*.py' -o -name '*.pyi' -o -path '*/static/*' -type f)
NATIVE_SOURCES := CMakeLists.txt $(shell find native -name '*.cc' -o -name '*.h')
NATIVE_TEXT := $(filter %.cc %.h,$(NATIVE_SOURCES))
PYTHON_TESTS := Makefile $(wildcard *.md *.cff .pre-commit-config.yaml) \
	$(shell find tests bench examples docs constraints -type f -not -path '*/__pycache__/*')
JOBS := $(shell nproc 2>/dev/null || echo 2)
EXTRAS := serve plots

# What pip prints goes to build/pip.log; who has no network reads one line and not a page.
define install
	@mkdir -p build
	@PIP_CONSTRAINT=$(CURDIR)/constraints/build.txt $(BIN)/python -m pip install \
		--disable-pip-version-check --no-input $(1) > build/pip.log 2>&1 || \
		{ echo "make: $(2) failed: $$(grep -m 1 -iE '^ *(error|CMake Error)|: error:|not found' build/pip.log | cut -c 1-200) (all of it is in build/pip.log; without a network nothing can be installed)"; exit 1; }
endef

.PHONY: demo test check lint native-test fuzz threads torture mutants python-test bench stubs reference docs screenshots format upgrade machine clean

demo: $(VENV)/.installed
	$(BIN)/python examples/demo.py

# Each check leaves a stamp and is not repeated until something it looks at changes; remove
# build/.checked-* to run them all the same. Two at a time, since parts of each (installing, type
# checking, linking) keep only one core busy.
test: | machine
	@$(MAKE) --no-print-directory -j 2 lint native-test python-test
lint: build/.checked-lint
native-test: build/.checked-native
python-test: build/.checked-python

# For every day: lint, and the tests that take no longer than a moment.
check: lint build/.checked-fast

build/.checked-lint: $(VENV)/.installed-test $(NATIVE_SOURCES) $(PYTHON_TESTS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(NATIVE_TEXT)
	touch $@

build/.checked-native: $(VENV)/.tools $(NATIVE_SOURCES)
	@$(BIN)/cmake -S . -B $(NATIVE_BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
		-DDRAGOMAN_TESTS=ON -DDRAGOMAN_SANITIZE=ON -DDRAGOMAN_WHOLE_FOLDERS=ON \
		-DCMAKE_BUILD_TYPE=None > /dev/null
	@echo "Building the native tests, which run under AddressSanitizer and UBSan"
	@$(BIN)/ninja --quiet -C $(NATIVE_BUILD) -j $(JOBS)
	$(BIN)/ctest --test-dir $(NATIVE_BUILD) --output-on-failure -j $(JOBS)
	touch $@

build/.checked-python: $(VENV)/.installed-test $(PYTHON_TESTS)
	$(BIN)/pytest -n $(JOBS)
	touch $@

build/.checked-fast: $(VENV)/.installed-test $(PYTHON_TESTS)
	$(BIN)/pytest -n $(JOBS) -q -m "not slow"
	touch $@

# Damaged files for every reader: seeded ones first, where `make test` tries a few; then those that
# libFuzzer finds, FUZZ_SECONDS for each reader: with Atheris, where it is installed, for those in
# Python, and with a clang for the native ones.
FUZZ_BUILD := build/fuzz
FUZZ_CXX ?= clang++
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst native/fuzz/%_fuzz.cc,%,$(wildcard native/fuzz/*_fuzz.cc))
PYTHON_FUZZED = $(shell $(BIN)/python -c 'from tests.fuzz.readers import READERS; print(*READERS)')
fuzz: native-test $(VENV)/.installed-test
	DRAGOMAN_FUZZ_ROUNDS=40000 $(NATIVE_BUILD)/lm_fuzz_test
	DRAGOMAN_FUZZ_ROUNDS=3000 $(BIN)/pytest -n $(JOBS) tests/fuzz
	@$(BIN)/python -c 'import atheris' 2> /dev/null || echo "make: no atheris in $(VENV), so Python's readers are not fuzzed by coverage"
	! $(BIN)/python -c 'import atheris' 2> /dev/null || for kind in $(PYTHON_FUZZED); do \
		$(BIN)/python -m tests.fuzz.covered $$kind --seconds $(FUZZ_SECONDS) \
			--place $(FUZZ_BUILD)/found || exit 1; done
	@command -v $(FUZZ_CXX) > /dev/null || { echo "make: no $(FUZZ_CXX), so nothing is fuzzed by coverage (FUZZ_CXX=... names one)"; exit 1; }
	@$(BIN)/cmake -S . -B $(FUZZ_BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
		-DDRAGOMAN_FUZZ=ON -DCMAKE_CXX_COMPILER=$(FUZZ_CXX) -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
	$(BIN)/cmake --build $(FUZZ_BUILD) -j $(JOBS)
	for name in $(FUZZERS); do \
		mkdir -p $(FUZZ_BUILD)/found/$$name && \
		$(FUZZ_BUILD)/$${name}_fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 \
			-max_len=4096 -artifact_prefix=$(FUZZ_BUILD)/ -print_final_stats=1 \
			$(FUZZ_BUILD)/found/$$name tests/fuzz/corpora/$$name || exit 1; done

# Data races: the native tests under ThreadSanitizer.
THREADS_BUILD := build/native-threads
threads: $(VENV)/.tools
	@$(BIN)/cmake -S . -B $(THREADS_BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
		-DDRAGOMAN_TESTS=ON -DDRAGOMAN_SANITIZE_THREADS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
	$(BIN)/cmake --build $(THREADS_BUILD) -j $(JOBS)
	$(BIN)/ctest --test-dir $(THREADS_BUILD) --output-on-failure -j $(JOBS)

# Half an hour of accidents: damaged models under the sanitizers, and tests/torture.
torture: native-test $(VENV)/.installed-test
	DRAGOMAN_DAMAGE_ROUNDS=2000 $(NATIVE_BUILD)/damage_test
	$(BIN)/pytest -n $(JOBS) -m torture tests/torture

# Plausible bugs, put into copies of the code: do the tests notice? MUTANTS says how many of each
# package; the first time it is recorded what each test calls, which takes as long as the tests.
MUTANTS ?= 25
mutants: $(VENV)/.installed-test
	$(BIN)/python -m tests.mutants --count $(MUTANTS) --processes $(JOBS)
	$(BIN)/python -m tests.mutants.native --processes $(JOBS)

# Those that need no more than the data; the others measure a model that you name.
bench: $(VENV)/.installed-test
	for script in align corpus grammar joint lm preorder reestimate spelling tables train; do \
		$(BIN)/python bench/$$script.py || exit 1; done

# Writes the committed type stubs of the native module anew.
stubs: $(VENV)/.installed-test
	$(BIN)/python -m nanobind.stubgen -m dragoman._core -o src/dragoman/_core.pyi

# Writes what docs/reference derives from declarations, commands and the server's description.
reference: $(VENV)/.installed-test
	for page in configuration cli rest; do \
		$(BIN)/python docs/reference/$$page.py > build/$$page.md && mv build/$$page.md docs/reference/ || exit 1; done

# The site, in build/site: a warning is an error, and so is a link that leads nowhere. Its tools
# have an environment of their own, since nothing else needs them; once it is there, no network.
DOCS_VENV := build/docs-venv
docs: $(DOCS_VENV)/.installed
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --strict --site-dir build/site
	@echo "The site is in build/site; $(DOCS_VENV)/bin/mkdocs serve shows it while you write."

$(DOCS_VENV)/.installed: constraints/docs.txt | machine
	@mkdir -p build
	@$(PYTHON) -m venv $(DOCS_VENV)
	@$(DOCS_VENV)/bin/python -m pip install --disable-pip-version-check --no-input --no-deps -r constraints/docs.txt \
		> build/pip-docs.log 2>&1 || { echo "make: installing what the site needs failed (see build/pip-docs.log; without a network nothing can be installed)"; exit 1; }
	@touch $@

# Pictures of the page and the reports for the guide, taken from the real ones; needs Chromium.
screenshots: $(VENV)/.installed-test
	$(BIN)/python docs/screenshots.py

format: $(VENV)/.installed-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(NATIVE_TEXT)

# New versions of everything, on purpose: writes constraints/ anew. Run `make test` afterwards.
upgrade: | machine
	rm -rf build/upgrade
	$(PYTHON) -m venv build/upgrade
	build/upgrade/bin/python constraints/requirements.py $(EXTRAS) > build/upgrade/demo.in
	build/upgrade/bin/python constraints/requirements.py $(EXTRAS) test > build/upgrade/test.in
	build/upgrade/bin/python -m pip install -q -r build/upgrade/demo.in cmake ninja
	build/upgrade/bin/python -m pip freeze > constraints/demo.txt
	build/upgrade/bin/python -m pip install -q -r build/upgrade/test.in
	build/upgrade/bin/python -m pip freeze > constraints/test.txt
	build/upgrade/bin/python -m pip install -q --upgrade setuptools wheel
	build/upgrade/bin/python -m pip freeze --all | grep -E '^(setuptools|wheel)==' > constraints/build.txt

clean:
	rm -rf $(VENV) build dist demo-model

# One line for each thing that a machine may lack.
machine:
	@test -w . || { echo "make: this folder cannot be written to: $(CURDIR)"; exit 1; }
	@command -v $(PYTHON) > /dev/null || \
		{ echo "make: no $(PYTHON) found; Dragoman needs Python 3.11 or newer (PYTHON=... names one)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: Dragoman needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V 2>&1) (PYTHON=... names another)"; exit 1; }
	@command -v $(CXX_NAME) > /dev/null || command -v g++ > /dev/null || command -v clang++ > /dev/null || \
		{ echo "make: no C++ compiler found; Dragoman needs one for C++20, such as g++ 11 or newer (on Debian: apt-get install g++)"; exit 1; }

$(VENV)/bin/python: | machine
	@$(PYTHON) -m venv $(VENV) > /dev/null || \
		{ echo "make: could not make $(VENV); on Debian: apt-get install python3-venv python3-dev"; exit 1; }

# With these the native tests can be compiled while the rest is still being fetched.
$(VENV)/.tools: constraints/demo.txt constraints/build.txt | $(VENV)/bin/python
	$(call install,--no-deps $$(grep -E '^(cmake|ninja)==' constraints/demo.txt),installing CMake and Ninja)
	@touch $@

# What the package needs comes first and in the ordinary way; then the package alone is built
# without isolation, so that the native build directory stays valid and only changed files are
# compiled again; and from what the sdist holds, so that nothing can be missing from that unseen.
$(VENV)/.dependencies: $(VENV)/.tools
	$(call install,--no-deps -r constraints/demo.txt,installing what Dragoman needs)
	@touch $@

$(VENV)/.installed: $(VENV)/.dependencies $(PACKAGE_SOURCES)
	@$(BIN)/python release/unpacked.py > /dev/null
	$(call install,--no-deps --no-build-isolation build/source,building Dragoman)
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed constraints/test.txt
	$(call install,--no-deps -r constraints/test.txt,installing what the tests need)
	@touch $@
