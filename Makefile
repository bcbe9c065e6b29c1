# Two commands do everything a newcomer needs: `make refresh` and `make test`.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export DBT_SEND_ANONYMOUS_USAGE_STATS := false
# xdist workers: one a core.
WORKERS ?= 2

.PHONY: help setup dev refresh test test-all check format docs ci-build bench clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.installed ## Make the virtual environment with the locked dependencies

$(VENV)/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or later is needed.")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

dev: $(VENV)/.installed-dev ## The same with the tools that tests and checks need

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

refresh: setup ## Land the samples, build, judge, publish, and say what readers see
	@$(BIN)/tidegate refresh --samples

test: dev check ## Lint, types and every test on the embedded PostgreSQL 18
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long"

test-all: dev check ## The same plus the long runs, and everything once more on PostgreSQL 15
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
	@$(BIN)/python -m tests.postgres15 -- -n $(WORKERS) --dist worksteal

check: dev ## Formatting, lint and strict types
	@$(BIN)/ruff format --check --quiet scripts tests bench
	@$(BIN)/ruff check --quiet scripts tests bench
	@$(BIN)/sqlfmt --check --quiet --no-progressbar models macros tests/dbt
	@$(BIN)/mypy

format: dev ## Rewrite formatting in place
	@$(BIN)/ruff check --fix --quiet scripts tests bench
	@$(BIN)/ruff format --quiet scripts tests bench
	@$(BIN)/sqlfmt --quiet --no-progressbar models macros tests/dbt

docs: dev ## Rewrite docs/commands.md from the commands themselves
	@$(BIN)/python -m tidegate.cli.reference > docs/commands.md

ci-build: setup ## dbt build on an empty database, then with the samples landed
	@PATH="$(CURDIR)/$(BIN):$$PATH" scripts/ci-build

bench: dev ## Measure, with the peer and the physical limit in the same run
	@$(BIN)/python -m bench

clean: ## Stop the embedded server and remove what was built (never .tidegate)
	@test ! -x $(BIN)/tidegate || $(BIN)/tidegate down
	@rm -rf target logs $(VENV)
