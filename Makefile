PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

include relais/relais.mk

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help test test-all test-agents test-vscode test-page tools lint types contract unfold fold format assets pictures validators bench soak clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

test: lint types tools $(VENV)/ready contract ## everything a change must pass; one test: make test ARGS='-k F005'
	$(BIN)/pytest tests -n $(JOBS) -m 'not slow' -rs $(ARGS)

test-all: lint types tools $(VENV)/ready contract ## the same and what takes longer: every guard broken once, more deaths, a builder confined in all of them
	$(BIN)/pytest tests -n $(JOBS) -rs $(ARGS)
	TEST_SANDBOX=on $(BIN)/pytest tests/test_hostile.py -n $(JOBS) -k 'honest and not commits and not stages and not renames' $(ARGS)

test-agents: $(VENV)/ready ## whole ticks with the real agent CLIs against a stand-in API; those of Claude Code are part of `make test` where npm can fetch it
	$(BIN)/pytest tests/test_agents.py tests/test_other_agents.py -n $(JOBS) -rs $(ARGS)

test-vscode: $(VENV)/ready ## keys, problems and schemas in a real VS Code; part of `make test-all` where npm, pip and apt-get can fetch what it needs
	$(BIN)/pytest tests/test_vscode.py -n 0 -rs $(ARGS)

test-page: tools $(VENV)/ready ## the page of `history --html` in a real Chromium, with axe-core
	$(BIN)/pytest tests/test_page.py -n $(JOBS) -rs $(ARGS)

pictures: $(VENV)/ready ## the pictures in the README, taken again
	$(BIN)/python tests/record.py tests/pictures/session.svg
	$(BIN)/python tests/browser.py tests/pictures history
	TEST_PICTURE=1 $(BIN)/pytest tests/test_vscode.py -n 0 -rs

# What the tests look at terminals, shells and pages with. Where it cannot be installed, they skip and say so.
TOOLS := chromium tmux zsh fish
tools:
	@for tool in $(TOOLS); do command -v $$tool > /dev/null || missing="$$missing $$tool"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends fonts-dejavu-core $$missing > /dev/null; } \
		|| echo "LOUD: apt-get cannot install$$missing: what needs it is not tested"; \
	elif [ -n "$$missing" ]; then echo "LOUD:$$missing not found: what needs it is not tested"; fi

# Both are shown relais.py unfolded: what stands in a fold is text to them otherwise.
lint: $(VENV)/unfolded.py ## ruff
	$(BIN)/ruff check --stdin-filename relais.py - < $<
	$(BIN)/ruff check tests

types: $(VENV)/unfolded.py ## mypy --strict
	$(BIN)/mypy --shadow-file relais.py $<

contract: $(VENV)/ready ## the contract tests on every Python >= 3.9 of this machine
	$(BIN)/python tests/every_python.py

unfold: ## make comments of the fences in relais.py: the same program, for your editor
	$(PYTHON) tests/folds.py unfold

fold: ## make fences of them again, as relais.py is committed
	$(PYTHON) tests/folds.py fold

format: $(VENV)/ready unfold ## ruff format
	$(BIN)/ruff format relais.py tests; status=$$?; $(BIN)/python tests/folds.py fold; exit $$status

assets: $(VENV)/ready ## rewrite the committed copies of what `init` writes
	$(BIN)/python tests/generate.py assets

validators: $(VENV)/ready ## generate section 11 of relais.py
	$(BIN)/python tests/generate.py validators

bench: $(VENV)/ready ## ratios against the floor, as a table and as JSON
	$(BIN)/python tests/bench.py $(ARGS)

soak: $(VENV)/ready ## a loop of 200 ticks and a history of 10,000 runs: does anything grow?
	$(BIN)/python tests/soak.py $(ARGS)

clean: ## remove the virtual environment
	$(PYTHON) -c "import shutil; shutil.rmtree('$(VENV)', ignore_errors=True)"

$(VENV)/unfolded.py: $(VENV)/ready relais.py tests/folds.py
	$(BIN)/python tests/folds.py show > $@

$(VENV)/ready: tests/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --requirement tests/requirements.txt
	touch $@
