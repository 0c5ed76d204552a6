# make demo and make test each work alone, first thing after a clone.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# A process for each core; each begins with neighbours, which share fixtures, and takes over from others.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
SOURCES := pyproject.toml setup.py $(wildcard src/captious/_internal/loops/*.p* src/captious/_internal/arrays/*.pyx src/captious/_internal/arrays/*.h)

DATA ?= ../shared/data

# Tests start hundreds of processes: each would compile all of the package's modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo check test processors sanitize fuzz kill-test nightly papers bench bench-page weights critics fold-captions lint format docs wheel clean

install: $(VENV)/.installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# An editable install, made again whenever a compiled loop changes.
$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/python
	@echo "Installing Captious: its loops are compiled, which takes about 35 seconds of one core"
	$(PIP) install --quiet --editable .
	@touch $@

# What is installed already says what its extras need: with --editable, all would be compiled again.
$(VENV)/.tools-%: $(VENV)/.installed
	$(PIP) install --quiet "captious[$*]"
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/captious doctor
	@echo
	@BIN=$(BIN) examples/demo.sh

# After every save: what takes seconds is left to make test.
check: $(VENV)/.tools-test
	$(PYTEST) -m "not slow"

test: $(VENV)/.tools-test
	$(PYTEST)

# Tests that compare bits, with OpenBLAS's kernels for other processors and without NumPy's instructions
# beyond its baseline.
processors: $(VENV)/.tools-test
	$(BIN)/python -m tests.processors

# The loops' tests with loops that stop at undefined operations and at foreign memory; needs gcc.
sanitize: $(VENV)/.tools-test
	PYTHON=$(BIN)/python tests/sanitize.sh

# Damaged input of every kind, or of the kinds that KIND names, for so many seconds; failures are left in build/fuzz, and said with the
# command that has them again. What failed once and is mended belongs into tests/fuzz/regressions.
SECONDS ?= 60
SEED ?= 0
fuzz: $(VENV)/.tools-test
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED) --keep build/fuzz $(addprefix --kind ,$(KIND))

# Every command that writes, killed at moments by chance.
KILLS ?= 200
kill-test: $(VENV)/.tools-test
	$(BIN)/python -m tests.kills --kills $(KILLS) --seed $(SEED)

# A million inputs, another million every night, and the kills: an hour and a half or so.
nightly: SEED := $(shell date +%Y%m%d)
nightly: $(VENV)/.tools-test $(VENV)/.tools-train $(VENV)/.tools-ray
	$(BIN)/python -m tests.fuzz --inputs 1000000 --seed $(SEED) --keep build/fuzz
	$(BIN)/python -m tests.kills --kills $(KILLS) --seed $(SEED)
	$(BIN)/python -m tests.kills.engines --kills 50 --seed $(SEED)
	HYPOTHESIS_PROFILE=nightly $(PYTEST) -m hypothesis
	PYTHON=$(BIN)/python tests/sanitize.sh
	test ! -d $(DATA) || $(MAKE) papers REPRODUCE=--quick PAGES=build/papers

lint: $(VENV)/.tools-test $(VENV)/.tools-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.tools-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The documentation as a site, in build/site; a warning is an error.
docs: $(VENV)/.tools-docs
	$(BIN)/python tools/build_site.py

# make bench CORENLP=FOLDER also times the original SPICE, from a folder of CoreNLP 3.6.0's jars.
bench: $(VENV)/.tools-bench
	$(BIN)/python benchmarks/coco_toolkit.py
	$(BIN)/python benchmarks/spice.py $(if $(CORENLP),--corenlp $(CORENLP))
	$(BIN)/python benchmarks/word_vectors.py
	$(BIN)/python benchmarks/one_metric.py
	$(BIN)/python benchmarks/one_metric.py --metric captious
	$(BIN)/python benchmarks/reward.py
	$(BIN)/python benchmarks/many_systems.py

# All benchmarks beside their peers, and docs/benchmarks.md with ratios, machine and plots: half an hour on a
# machine that does nothing else; a run that was stopped goes on. QUICK=1 tries it with small sizes and writes
# to build/benchmarks instead. CORENLP=FOLDER and CAPTIONER=FILE add the original SPICE and pre-gen metrics.
bench-page: $(VENV)/.tools-all $(VENV)/.tools-bench $(VENV)/.tools-peers
	$(BIN)/python tools/build_benchmarks_page.py --data $(DATA) $(if $(QUICK),--quick) \
		$(if $(CORENLP),--corenlp $(CORENLP)) $(if $(CAPTIONER),--captioner $(CAPTIONER))

# Everything that is learned from captions, from the folder of data to the files that ship.
weights: $(VENV)/.tools-all $(VENV)/.tools-train
	$(BIN)/python tools/distill_parser.py --data $(DATA)
	$(BIN)/python tools/train_caption_vectors.py --data $(DATA)
	$(BIN)/python tools/train_word_order.py --data $(DATA)
	$(BIN)/python tools/train_captious.py --data $(DATA)
	$(BIN)/python tools/train_captioners.py $(DATA) --output $(RUNS) --architectures init --seeds 0
	$(BIN)/python tools/train_captious_image.py --data $(DATA) --captioners $(RUNS)
	$(BIN)/python tools/train_published.py --data $(DATA)

# The critics that ship as leic, and the captioners whose captions they learn from: two hours or so.
RUNS ?= build/captioners
critics: $(VENV)/.tools-all $(VENV)/.tools-train
	$(BIN)/python tools/train_captioners.py $(DATA) --output $(RUNS) --architectures init par --seeds 0
	$(BIN)/python tools/train_leic.py --data $(DATA) --captioners $(RUNS) --work build/leic

# Weak captions of images that are new to their captioners, which LCEval's page trains networks on.
fold-captions: $(VENV)/.tools-all $(VENV)/.tools-train
	$(BIN)/python tools/caption_in_folds.py $(DATA) --output $(RUNS)/in_folds

# Every table and figure of the papers, measured again: hours the first time, minutes after that.
PAPERS := nneval lceval leic yi2020 pregen
PAGES ?= docs/papers
papers: $(VENV)/.tools-all $(VENV)/.tools-train
	for paper in $(PAPERS); do \
		$(BIN)/captious reproduce $$paper --data $(DATA) $(if $(wildcard $(RUNS)),--captioners $(RUNS)) \
			$(REPRODUCE) --output $(PAGES) || exit; \
	done

wheel: | $(VENV)/bin/python
	rm -rf dist
	$(PIP) wheel --quiet --no-deps --wheel-dir dist .
	@ls -l dist/*.whl

clean:
	rm -rf build dist $(VENV) src/*.egg-info
	find src -name '*.so' -delete
