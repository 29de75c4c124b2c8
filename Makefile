# Every target does its own set-up in .venv; nothing is installed outside the checkout.
# With uv on PATH it is used; else python -m venv and pip, from the same locked versions.

SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
PYTEST_ARGS ?=
CHAOS_KILLS ?= 6
SETUP := sh deploy/setup-venv.sh

.PHONY: help demo test check bench bench-e2e figures chaos long mutants schemas readme lock clean

help: ## what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/demo ## watch a day's news arrive, in under a minute
	@$(BIN)/writethru demo

test: .venv/dev ## every test (PYTEST_ARGS="-k codec" for some of them)
	@$(BIN)/pytest -n auto --dist loadgroup --max-worker-restart=0 $(PYTEST_ARGS)

check: .venv/dev ## lint, types, import rules, the lock and the schemas
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python deploy/check_requirements.py
	@$(BIN)/python tools/update_readme.py --check

bench: .venv/dev ## speed and quality, as ratios against peers in the same run
	@$(BIN)/python -m tests.bench

bench-e2e: .venv/dev ## articles a second and latency over a real Kafka, beside a pass-through with the same hops
	@$(BIN)/python -m tests.bench.e2e

chaos: .venv/dev ## kill what runs, at random: CHAOS_KILLS=n faults on three brokers (CHAOS_SEED repeats a run)
	@CHAOS_KILLS=$(CHAOS_KILLS) $(BIN)/pytest -n 0 -s -W ignore::pytest.PytestUnraisableExceptionWarning tests/e2e/chaos

mutants: .venv/dev ## do the tests notice faults in alignment and numbers? an hour or two (MUTANTS="numbers --every 20" for less)
	@$(BIN)/python tools/mutants.py $(MUTANTS)

figures: .venv/dev ## the score tools on the dev data, where it lies beside the checkout
	@$(BIN)/python ../shared/tools/figures.py --writethru $(BIN)/writethru

long: .venv/dev ## spoilt files through every parser, for FUZZ_SECONDS (half an hour), and sixty faults over the whole stream
	@$(BIN)/python -m tests.fuzz
	@CHAOS_LONG=1 CHAOS_KILLS=60 CHAOS_ARTICLES=21000 $(BIN)/pytest -n 0 -s -W ignore::pytest.PytestUnraisableExceptionWarning tests/e2e/chaos

schemas: .venv/dev ## write docs/schemas from the types
	@$(BIN)/writethru schemas docs/schemas

readme: .venv/dev ## write what the program prints into README.md
	@$(BIN)/python tools/update_readme.py

lock: ## resolve uv.lock again and export it for pip (needs uv)
	uv lock
	uv export --quiet --frozen --no-hashes --no-annotate --no-header --no-emit-project --no-dev --extra desk -o deploy/requirements/demo.txt
	uv export --quiet --frozen --no-hashes --no-annotate --no-header --no-emit-project --no-dev --extra kafka --extra feeds --extra alerts --extra desk -o deploy/requirements/services.txt
	uv export --quiet --frozen --no-hashes --no-annotate --no-header --no-emit-project --all-extras --group dev -o deploy/requirements/dev.txt

clean: ## remove what the other targets made
	rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/demo: deploy/requirements/demo.txt pyproject.toml
	@$(SETUP) demo $(PYTHON)

.venv/dev: deploy/requirements/dev.txt pyproject.toml
	@$(SETUP) dev $(PYTHON)
