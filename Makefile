# Every target makes the .venv that it needs; it installs again only when pyproject.toml changed.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed
CODE := helpers stages tests notebooks/conftest.py

.DEFAULT_GOAL := help
.PHONY: help lab test lint check nbval notebooks bench clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1 |/p' Makefile | column -t -s '|'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; v >= (3, 11) or sys.exit("Python 3.11 or newer is needed, %s is %d.%d; try: make PYTHON=python3.11 lab" % (sys.executable, *v))'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[notebooks,test]'
	@touch $@

lab: $(READY) ## open the workbook in JupyterLab
	@$(BIN)/jupyter trust notebooks/*.ipynb >/dev/null
	$(BIN)/jupyter lab --notebook-dir=. notebooks/s0_setup.ipynb

test: lint check nbval ## everything that CI runs

lint: $(READY) ## style and types: library, stages, tests, notebooks
	$(BIN)/ruff check $(CODE) notebooks
	$(BIN)/ruff format --check $(CODE) notebooks
	$(BIN)/mypy helpers/iree_layers stages
	$(BIN)/nbqa mypy notebooks

check: $(READY) ## the library's and the stages' tests
	$(BIN)/pytest tests

nbval: $(READY) ## run every notebook and compare every output
	$(BIN)/pytest --nbval notebooks

notebooks: $(READY) ## run the notebooks and store their outputs
	$(BIN)/python -m iree_layers.learn.notebook refresh notebooks/*.ipynb

bench: $(READY) ## capture, index, store and diff, as ratios within one run
	$(BIN)/python -m tests.bench

clean: ## remove .venv and caches (your progress stays in your home)
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .hypothesis helpers/*.egg-info
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
