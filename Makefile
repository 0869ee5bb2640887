# Every target does its own set-up: a virtual environment with what requirements.txt names.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.requirements
CLASSROOM = $(VENV)/.classroom
# Some machines forbid it: a hundred starts of Python would compile all that they load, which takes
# longer than to load it.
unexport PYTHONDONTWRITEBYTECODE
LINT = $(MAKE) --no-print-directory --jobs=2 style types scripts
BUILD = $(BIN)/jupyter-book build . --warningiserror --nitpick --keep-going

.PHONY: serve static classroom class test check style types scripts book archive lab notebooks \
  bench bench-class mutants fix pins dist

serve: book ; $(BIN)/python -m tools.serving
static: book ; $(BIN)/python -m tools.serve
classroom: $(CLASSROOM)
class: $(CLASSROOM) book ; $(BIN)/python -m classroom $(CLASS)
book: $(READY) ; $(BUILD)
archive: $(READY) ; $(BIN)/python -m tools.archive
# All cells are drawn at once, or else a link within a chapter ends anywhere.
lab: $(READY) ; JUPYTER_CONFIG_PATH=tools/lab $(BIN)/jupyter lab book
notebooks: $(READY) ; $(BIN)/python -m tools.notebooks
bench: $(READY) ; $(BIN)/python -m benchmarks
bench-class: $(CLASSROOM) book ; $(BIN)/python -m benchmarks.classroom
mutants: $(READY) ; $(BIN)/python -m tools.mutants && $(BIN)/python -m tools.mutants stages
fix: $(CLASSROOM) ; $(BIN)/ruff check --fix . && $(BIN)/ruff format . && $(BIN)/python -m tools.web fix
dist: $(READY) ; rm -rf dist && $(BIN)/python -m build --no-isolation

# For Python 3.11 and newer on any system. `make pins UPGRADE=` keeps versions wherever they still fit.
UPGRADE ?= --upgrade
pins: $(BIN)/uv
	grep -hv '^-c' requirements.txt classroom/requirements.txt | $(BIN)/uv pip compile - --output-file constraints.txt $(UPGRADE) \
	  --quiet --universal --python-version 3.11 --no-annotate --no-emit-package attention_lib \
	  --custom-compile-command "make pins"

# Three processes for two cores: each waits for its browser or its server now and then. What a class
# needs is installed for `types`, while others look at scripts and style.
test: $(READY)
	$(BIN)/python -m tools.browser
	$(LINT)
	$(BIN)/pytest -n 3 --dist loadgroup --max-worker-restart 0 -rR

style: $(READY) ; $(BIN)/ruff check . && $(BIN)/ruff format --check .
types: $(CLASSROOM) ; $(BIN)/mypy --num-workers 2
scripts: $(READY) ; $(BIN)/python -m tools.web

# Under a minute, without a browser: for whoever is editing.
QUICK = attention_lib tools tests/notebooks/test_parity.py \
  tests/figures/test_maths.py tests/figures/test_web_units.py \
  $(patsubst %,tests/library/test_%.py,masking scores score_numbers kernels linear_kernel modules)
check:
	$(LINT)
	$(BIN)/pytest -n 2 $(QUICK)

# Alone, because what is pinned now may not fit what is asked for.
$(BIN)/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet $$(grep '^uv==' requirements.txt)

# Modules are compiled when they are loaded first: most never are.
$(READY): requirements.txt constraints.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --requirement requirements.txt
	touch $@

$(CLASSROOM): classroom/requirements.txt $(READY)
	$(BIN)/pip install --quiet --no-compile --requirement classroom/requirements.txt
	$(BIN)/python -c "from classroom.__main__ import install_proxy; install_proxy()"
	touch $@
