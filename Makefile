# `make demo` runs the main job, `make test` passes the tests; both make what they need.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
unexport PYTHONPATH

.PHONY: demo test format rule-pages clean lock

demo: $(READY)
	$(BIN)/seatrial lint scenarios
	$(BIN)/seatrial run scenarios

test: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --numprocesses logical

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# docs/rules is made from the rules; a test says when it is not current.
rule-pages: $(READY)
	$(BIN)/python -m seatrial.cli.rule_pages docs/rules

# The environment follows pyproject.toml and the pinned versions of constraints.txt.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "seatrial needs Python 3.11 or newer; name one with: make PYTHON=python3.12 demo")'
	@echo "making $(VENV): a minute or two, once"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,meaning]'
	@touch $@

lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --upgrade '.[dev,meaning]'
	build/lock/bin/python -m pip freeze --all --exclude seatrial --exclude pip > constraints.txt

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
