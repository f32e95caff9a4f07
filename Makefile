# make demo · make test · make lint · make bench
#
# Everything lives in .venv and build/; a stamp file stands for each finished step, so that a
# second call does only what has changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE_BUILD := build/native-tests
PACKAGE_SOURCES := pyproject.toml CMakeLists.txt README.md LICENSE \
	$(shell find native/core native/bind src -name '*.cc' -o -name '*.h' -o -name '*.py' -o -name '*.pyi' -o -path '*/static/*' -type f)
NATIVE_SOURCES := CMakeLists.txt $(shell find native -name '*.cc' -o -name '*.h')
NATIVE_TEXT := $(filter %.cc %.h,$(NATIVE_SOURCES))
PYTHON_TESTS := Makefile $(shell find tests bench examples docs -type f -not -path '*/__pycache__/*')
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: demo test lint native-test fuzz python-test bench stubs format clean

demo: $(VENV)/.installed
	$(BIN)/python examples/demo.py

# Each check leaves a stamp and is not repeated until something it looks at changes; remove
# build/.checked-* to run them all the same.
test: lint native-test python-test
lint: build/.checked-lint
native-test: build/.checked-native
python-test: build/.checked-python

build/.checked-lint: $(VENV)/.installed-test $(NATIVE_SOURCES) $(PYTHON_TESTS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(NATIVE_TEXT)
	touch $@

build/.checked-native: $(VENV)/.build-tools $(NATIVE_SOURCES)
	@$(BIN)/cmake -S . -B $(NATIVE_BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
		-DDRAGOMAN_TESTS=ON -DDRAGOMAN_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
	$(BIN)/cmake --build $(NATIVE_BUILD) -j $(JOBS)
	$(BIN)/ctest --test-dir $(NATIVE_BUILD) --output-on-failure -j $(JOBS)
	touch $@

build/.checked-python: $(VENV)/.installed-test $(PYTHON_TESTS)
	$(BIN)/pytest -n $(JOBS)
	touch $@

# Several minutes of damaged language models, where native-test takes half a minute or so.
fuzz: native-test
	DRAGOMAN_FUZZ_ROUNDS=40000 $(NATIVE_BUILD)/lm_fuzz_test

# Those that need no more than the data; the others measure a model that you name.
bench: $(VENV)/.installed-test
	for script in align corpus grammar joint lm preorder reestimate spelling tables train; do \
		$(BIN)/python bench/$$script.py || exit 1; done

# Writes the committed type stubs of the native module anew.
stubs: $(VENV)/.installed-test
	$(BIN)/python -m nanobind.stubgen -m dragoman._core -o src/dragoman/_core.pyi

format: $(VENV)/.installed-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(NATIVE_TEXT)

clean:
	rm -rf $(VENV) build dist demo-model

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || \
		{ echo "Could not make $(VENV). On Debian: apt-get install python3-venv python3-dev"; exit 1; }

# The build tools go into .venv and not into pip's throw-away build environment, so that the
# native build directory stays valid and only changed files are compiled again.
$(VENV)/.build-tools: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		"scikit-build-core>=0.10" "nanobind==3.1.0" "cmake>=3.24" "ninja>=1.11"
	touch $@

$(VENV)/.installed: $(VENV)/.build-tools $(PACKAGE_SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation ".[test]"
	touch $@
