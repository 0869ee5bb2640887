# Every target does its own set-up: a virtual environment with what requirements.txt names.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.requirements
BUILD = $(BIN)/jupyter-book build . --warningiserror --nitpick --keep-going

.PHONY: serve test book archive lab notebooks bench mutants fix

serve: book ; $(BIN)/python -m tools.serve
book: $(READY) ; $(BUILD)
archive: $(READY) ; $(BIN)/python -m tools.archive
lab: $(READY) ; $(BIN)/jupyter lab book
notebooks: $(READY) ; $(BIN)/python -m tools.notebooks
bench: $(READY) ; $(BIN)/python -m benchmarks
mutants: $(READY) ; $(BIN)/python -m tools.mutants
fix: $(READY) ; $(BIN)/ruff check --fix . && $(BIN)/ruff format .

test: $(READY)
	$(BIN)/python -m tools.browser
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest --ignore tests/site
	$(BIN)/pytest -n 2 --dist loadgroup tests/site

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --requirement requirements.txt
	touch $@
