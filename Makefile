# Every target first sets up a virtual environment with requirements.txt.
# Pass options to the programs: make serve SERVE="--port 9000", LECTURE="…", CLASS="…", LAB=--allow-root.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.requirements
CLASSROOM = $(VENV)/.classroom
# Let Python write .pyc files even if the environment disables it: otherwise every start of Python
# compiles torch again.
unexport PYTHONDONTWRITEBYTECODE
LINT = $(MAKE) --no-print-directory --jobs=2 style types scripts
BUILD = $(BIN)/jupyter-book build . --warningiserror --nitpick --keep-going
PIP = $(BIN)/pip install --disable-pip-version-check --no-compile

.PHONY: help serve lecture static classroom class test check quick exhaustive style types scripts book archive pdf publish lab \
  notebooks bench bench-class bench-tests mutants fix pins dist clean environment

## list these commands
help: ; @awk '/^## /{text = substr($$0, 4)} /^[a-z-]+:/{if (text) printf "make %-12s %s\n", substr($$1, 1, index($$1, ":") - 1), text; text = ""}' Makefile

## build the book and serve it with Python kernels
serve: book ; $(BIN)/python -m tools.serving $(SERVE)
## build the book and serve a lecture whose room guesses by phone (localhost unless LECTURE has --ip and --trusted-room)
lecture: book ; $(BIN)/python -m tools.lecture $(LECTURE)
## build the book and serve it without kernels
static: book ; $(BIN)/python -m tools.serve
## install the requirements of a class
classroom: $(CLASSROOM)
## build the book and serve it to a class (localhost unless CLASS has --ip and --trusted-room)
class: $(CLASSROOM) book ; $(BIN)/python -m classroom $(CLASS)
## build the book into _build/html
book: $(READY) ; $(BUILD)
## pack the book into one zip for offline use
archive: $(READY) ; $(BIN)/python -m tools.archive
## print the book as one PDF for each language
pdf: book ; $(BIN)/python -m tools.pdf
## build the book, its archive and its PDFs for a web server (SITE_URL=https://… is its address there)
publish: $(READY) ; $(BIN)/python -m tools.publish
# Render all cells eagerly; with JupyterLab's lazy rendering, in-page links land in the wrong place.
## open the chapters in JupyterLab (as root: LAB=--allow-root)
lab: $(READY) ; JUPYTER_CONFIG_PATH=tools/lab $(BIN)/jupyter lab book $(LAB)
## run all chapters again and store their outputs
notebooks: $(READY) ; $(BIN)/python -m tools.notebooks
## measure speed and size
bench: $(READY) ; $(BIN)/python -m benchmarks
## measure a class of thirty readers, one reader's pod, and a room of three hundred phones
bench-class: $(CLASSROOM) book ; $(BIN)/python -m benchmarks.classroom
## measure the time of the tests
bench-tests: $(CLASSROOM) ; $(BIN)/python -m benchmarks.suite
## mutation testing: plant small faults and list those that no test catches
mutants: $(READY) ; $(BIN)/python -m tools.mutants && $(BIN)/python -m tools.mutants stages
## format and lint, and write CITATION.cff
fix: $(CLASSROOM)
	$(BIN)/python -m tools.notebooks --clean
	$(BIN)/ruff format .
	$(BIN)/python -m tools.web fix
	$(BIN)/python -m tools.citation
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
## build wheel and sdist into dist
dist: $(READY) ; rm -rf dist && $(BIN)/python -m build --no-isolation
## remove the virtual environment and everything that was built
clean:
	rm -rf $(VENV) _build dist mutants attention_figures/built book/built book/exercises
	rm -rf attention_figures/web/node_modules book/web/node_modules classroom/proxy/node_modules

# For Python 3.11 and newer on any system. `make pins UPGRADE=` keeps versions that are still compatible.
UPGRADE ?= --upgrade
## update constraints.txt to the newest versions of all dependencies
pins: $(BIN)/uv
	grep -hv '^-c' requirements.txt classroom/requirements.txt | $(BIN)/uv pip compile - --output-file constraints.txt $(UPGRADE) \
	  --quiet --universal --python-version 3.11 --no-annotate --no-emit-package attention_lib \
	  --custom-compile-command "make pins"

# Three workers for two cores: each often waits for its browser or server.
PYTEST = $(BIN)/pytest -n 3 --dist loadgroup --max-worker-restart 0 -rR
# `types` installs the requirements of a class while the other checks run.
## run all tests
test: $(READY)
	$(BIN)/python -m tools.browser
	$(LINT)
	$(PYTEST)

style: $(READY) ; $(BIN)/ruff check . && $(BIN)/ruff format --check .
types: $(CLASSROOM) ; $(BIN)/mypy
scripts: $(READY) ; $(BIN)/python -m tools.web

# Takes less than a minute, without a browser.
QUICK = attention_lib attention_figures attention_course tools tests/notebooks/test_parity.py tests/notebooks/test_new_chapter.py \
  tests/notebooks/test_verdicts.py tests/notebooks/test_wording.py \
  tests/figures/test_maths.py tests/figures/test_web_units.py \
  $(patsubst %,tests/library/test_%.py,masking scores score_numbers kernels linear_kernel modules)
## check types, format, translations and some tests in a minute
check:
	$(LINT)
	$(MAKE) --no-print-directory quick
quick: $(READY) ; $(BIN)/pytest -n 2 $(QUICK)

## run all tests with redundant variants, and check that builds are reproducible
exhaustive: $(CLASSROOM)
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.reproducible
	$(PYTEST) --exhaustive

# Installed alone, because the current pins may conflict with requirements.txt.
$(BIN)/uv: | environment
	$(PYTHON) -m venv $(VENV)
	$(PIP) $$(grep '^uv==' requirements.txt)

# Report missing prerequisites before anything is installed.
environment: ; @$(PYTHON) tools/environment.py $(VENV)

# --no-compile: bytecode is created on first import; most modules are never imported.
$(READY): requirements.txt constraints.txt pyproject.toml | environment
	$(PYTHON) -m venv $(VENV)
	$(PIP) --requirement requirements.txt
	touch $@

$(CLASSROOM): classroom/requirements.txt $(READY)
	$(PIP) --requirement classroom/requirements.txt
	$(BIN)/python -c "from classroom.__main__ import install_proxy; install_proxy()"
	touch $@
