PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than most small machines have cores: some tests wait.
JOBS ?= 3
# The package first; never this folder, where relais.py would stand in its place.
SOURCES := PYTHONPATH=src:tools
RELAIS_SOURCES := $(shell find src/relais -type f -not -name '*.pyc')

include relais/relais.mk

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo venv test test-all test-outside test-agents test-vscode test-page test-guards test-honest test-stacks test-package programs stack-programs lint lint-texts types contract format schemas validators assets pictures bench soak clean

help: ## list the targets
	@sed -n 's/^\([a-z.-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

demo: relais-demo ## four ticks in a throw-away repo, without an account

relais.py: $(RELAIS_SOURCES) ## the one file, built from src/relais
	cd src && $(PYTHON) -m relais.amalgamate > ../relais.py.new
	mv relais.py.new relais.py
	chmod 755 relais.py

# --- tests: the first needs Python and git, and downloads Python packages only -------------------

test: relais.py $(VENV)/ready ## everything a change must pass; one test alone: make test ARGS='-k F005'
ifeq ($(ARGS),)
	@$(MAKE) --no-print-directory -j2 lint types contract PYTHONS=--ends
	$(BIN)/pytest tests -n $(JOBS) -m 'not slow and not outside' -rs
else
	$(BIN)/pytest $(if $(filter tests/%,$(ARGS)),,tests) -rs $(ARGS)
endif

test-all: relais.py lint lint-texts types contract programs $(VENV)/ready test-package ## the same, and what takes longer or needs a browser, an editor, npm or a real agent
	HYPOTHESIS_PROFILE=default $(BIN)/pytest tests -n $(JOBS) -rs $(ARGS)
	TEST_SANDBOX=on $(BIN)/pytest tests/test_hostile.py -n $(JOBS) -k 'honest and not commits and not stages and not renames' $(ARGS)

test-agents: $(VENV)/ready ## whole ticks with the real Claude Code, codex, gemini, opencode, aider and llm against a stand-in API
	$(BIN)/pytest tests/test_agents.py tests/test_other_agents.py -n $(JOBS) -rs $(ARGS)

test-page: programs $(VENV)/ready ## the page of `history --html` in a real Chromium, with axe-core
	$(BIN)/pytest tests/test_page.py -n $(JOBS) -rs $(ARGS)

test-vscode: programs $(VENV)/ready ## keys, problems and schemas in a real VS Code
	$(BIN)/pytest tests/test_vscode.py -n 0 -rs $(ARGS)

test-outside: programs $(VENV)/ready ## terminals, shells and bubblewrap
	$(BIN)/pytest tests/test_screen.py tests/test_sandbox.py -n $(JOBS) -m outside -rs $(ARGS)

test-stacks: stack-programs $(VENV)/ready ## checks of a dozen stacks, each in the jail through a real tick
	$(BIN)/pytest tests/test_stacks_confined.py -n $(JOBS) -rs $(ARGS)

test-guards: $(VENV)/ready ## every guard broken once and seen red by the drill; more deaths of the runner
	$(BIN)/pytest tests/test_drill.py tests/test_crash.py -n $(JOBS) -m slow -rs $(ARGS)

test-honest: stack-programs $(VENV)/ready $(VENV)/tools/ready ## honest builders of a dozen stacks, in the sandbox and without: none may be stopped
	$(BIN)/pytest tests/test_honest.py tests/test_honest_matrix.py -n $(JOBS) -rs $(ARGS)

test-package: $(VENV)/ready ## the contract, the stages, the loop and the keeping once more, through the package instead of the one file
	RELAIS_PROGRAM=package $(BIN)/pytest tests/test_contract.py tests/test_stages.py tests/test_loop.py tests/test_keeping.py -n $(JOBS) -m 'not slow and not outside and not one_file' -rs $(ARGS)

# What the tests look at terminals, shells and pages with, and what stacks build with: a program or a path, and its
# package where that is called otherwise. Where it cannot be installed, tests skip and say so.
PROGRAMS := chromium tmux zsh fish shellcheck /usr/share/fonts/truetype/dejavu:fonts-dejavu-core
MAVEN_REPO := /usr/share/maven-repo
STACK_PROGRAMS := node:nodejs npm cc:gcc make cmake ninja:ninja-build cargo go:golang-go ruby bundle:ruby-bundler rake javac:default-jdk-headless \
	mvn:maven ant gradle php:php-cli autoconf ccache $(MAVEN_REPO)/org/apache/maven/plugins/maven-compiler-plugin:libmaven-compiler-plugin-java \
	$(MAVEN_REPO)/org/apache/maven/plugins/maven-resources-plugin:libmaven-resources-plugin-java \
	$(MAVEN_REPO)/org/apache/maven/plugins/maven-surefire-plugin:libsurefire-java $(MAVEN_REPO)/junit/junit/4.x:junit4
stack-programs: PROGRAMS := $(STACK_PROGRAMS)
programs stack-programs:
	@for program in $(PROGRAMS); do [ -e "$${program%%:*}" ] || command -v $${program%%:*} > /dev/null || missing="$$missing $${program##*:}"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -qq; \
		for package in $$missing; do apt-get install -y -qq --no-install-recommends $$package > /dev/null \
		|| echo "LOUD: apt-get cannot install $$package: what needs it is not tested"; done; \
	elif [ -n "$$missing" ]; then echo "LOUD:$$missing not found: what needs it is not tested"; fi

contract: $(VENV)/ready relais.py ## the contract tests on every Python >= 3.9 of this machine; `make test` takes the oldest and the newest
	$(BIN)/python tests/every_python.py $(PYTHONS)

# --- what is checked without being run -----------------------------------------------------------

lint: $(VENV)/ready ## ruff: rules everywhere, format of src and tools (`make format` mends it)
	$(BIN)/ruff check src tests tools
	$(BIN)/ruff format --check src tools

lint-texts: programs $(VENV)/ready ## the page with biome, the completions with shellcheck and their own shells
	$(BIN)/python tools/lint_texts.py

types: $(VENV)/ready ## mypy --strict
	$(BIN)/mypy

format: $(VENV)/ready ## ruff format
	$(BIN)/ruff check --quiet --select I --fix src tests tools
	$(BIN)/ruff format src tools

# --- what is made from something else ------------------------------------------------------------

schemas: $(VENV)/ready ## src/relais/assets/schemas, from tools/schemas.py
	$(SOURCES) $(BIN)/python tools/generate.py schemas

validators: schemas ## src/relais/validators, from the schemas
	$(SOURCES) $(BIN)/python tools/generate.py validators

assets: validators ## the copies of what `init` writes, and the README's tables
	$(SOURCES) $(BIN)/python tools/generate.py assets

pictures: $(VENV)/ready ## the pictures in the README, taken again
	$(SOURCES) $(BIN)/python tests/record.py tests/pictures/session.svg
	$(SOURCES) $(BIN)/python tests/browser.py tests/pictures history
	TEST_PICTURE=1 $(BIN)/pytest tests/test_vscode.py -n 0 -rs

venv: $(VENV)/ready ## the virtual environment alone

# --- how fast, and for how long ------------------------------------------------------------------

bench: $(VENV)/ready relais.py ## ratios against the floor, as a table and as JSON
	$(SOURCES) $(BIN)/python tests/bench.py $(ARGS)

soak: $(VENV)/ready ## a loop of 200 ticks and a history of 10,000 runs: does anything grow? Does anything outlive a command in 10,000 tries (SOAK_TRIES)?
	$(SOURCES) $(BIN)/python tests/soak.py $(ARGS)

clean: ## remove the virtual environment
	$(PYTHON) -c "import shutil; shutil.rmtree('$(VENV)', ignore_errors=True)"

$(VENV)/tools/ready: tests/honest_tools.txt $(VENV)/ready
	$(PYTHON) -m venv $(VENV)/tools
	$(VENV)/tools/bin/pip install --quiet --requirement tests/honest_tools.txt || echo "LOUD: Python's tools cannot all be installed: what needs them is not tested"
	touch $@

$(VENV)/ready: tests/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --requirement tests/requirements.txt
	touch $@
