PYTHON ?= .venv/bin/python

SECONDS ?= 600
.PHONY: install check test common fuzz mutation conformance calibration bench docs site durability audit
install:  ## a virtual environment with everything the tests need
	python3 -m venv .venv
	$(PYTHON) -m pip install -q -e ".[dev]"
check:  ## format, lint, types, layering
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(dir $(PYTHON))lint-imports
test:  ## the whole suite
	$(PYTHON) -m pytest -n 3
common:  ## each promise over every public function, and each function on 100,000 rollouts of one task and of as many
	$(PYTHON) -m pytest tests/common
	PYTHONPATH=tests $(PYTHON) -m common.many
fuzz:  ## ten minutes of coverage-guided fuzzing; SECONDS=60 for less
	PYTHONPATH=tests $(PYTHON) -m fuzz.run $(SECONDS)
mutation:  ## does a test notice each small change of a module's code? MODULE=kernels.tally, and TESTS=... for other tests
	$(PYTHON) scripts/mutation.py $(MODULE) $(TESTS)
conformance:  ## the executable cases of the reference pages, all modules
	$(PYTHON) tests/conformance/runner.py tests/conformance/cases
calibration:  ## the full grid of interval coverage, written to the docs
	$(PYTHON) tests/calibration/full.py --write docs/calibration.md
	$(PYTHON) tests/calibration/full_compare.py --write docs/calibration-comparisons.md
bench:  ## cost against json.loads and its growth, written to the docs
	$(PYTHON) benchmarks/cost.py --write docs/performance.md
docs:  ## what the README and the docs print
	$(PYTHON) scripts/from_pages.py --write
	$(PYTHON) scripts/printed.py --write
site:  ## the docs and the API reference as pages in site/, from the extra `docs`; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict
durability:  ## 230 kills of writers at random points; a failure names the job and the seed
	PYTHONPATH=src:tests $(PYTHON) tests/durability/kills.py
audit:  ## known vulnerabilities of the dependencies; never "ok" for what could not be looked up
	$(PYTHON) -m pip install -q pip-audit
	$(PYTHON) scripts/audit.py
