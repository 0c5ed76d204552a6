# make demo and make test each work alone, first thing after a clone.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
SOURCES := pyproject.toml setup.py $(wildcard src/captious/loops/*.p*)

.PHONY: install demo test bench lint format wheel clean

install: $(VENV)/.installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# An editable install, made again whenever a compiled loop changes.
$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/python
	$(PIP) install --quiet --editable .
	@touch $@

$(VENV)/.tools-%: $(VENV)/.installed
	$(PIP) install --quiet --editable ".[$*]"
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/captious doctor
	@echo
	@BIN=$(BIN) examples/demo.sh

test: $(VENV)/.tools-test
	$(BIN)/python -m pytest

lint: $(VENV)/.tools-test $(VENV)/.tools-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.tools-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# make bench CORENLP=FOLDER also times the original SPICE, from a folder of CoreNLP 3.6.0's jars.
bench: $(VENV)/.tools-bench
	$(BIN)/python benchmarks/coco_toolkit.py
	$(BIN)/python benchmarks/spice.py $(if $(CORENLP),--corenlp $(CORENLP))
	$(BIN)/python benchmarks/word_vectors.py
	$(BIN)/python benchmarks/consensus.py
	$(BIN)/python benchmarks/reward.py
	$(BIN)/python benchmarks/many_systems.py

wheel: | $(VENV)/bin/python
	rm -rf dist
	$(PIP) wheel --quiet --no-deps --wheel-dir dist .
	@ls -l dist/*.whl

clean:
	rm -rf build dist $(VENV) src/*.egg-info
	find src -name '*.so' -delete
