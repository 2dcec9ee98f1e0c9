# Parlour. `make` alone lists the commands.

# Not `?=`: some shells export HOST as the name of the computer.
HOST := 127.0.0.1
PORT ?= 8000
VENV := .venv/bin/python
# The Python that .venv is made with. The system's first: distributions compile it with profile-guided
# optimisation, which saves a third of the processor time, and version managers often do not.
PYTHON ?= $(or $(shell for each in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do \
    $$each -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null </dev/null && echo $$each && break; \
    done),$(error Parlour needs Python 3.11 or newer with its venv module (apt install python3 python3-venv), or name one with PYTHON=/path/to/python3))
LOCK := $(VENV) -m uv pip compile --quiet --upgrade --generate-hashes --python-version 3.11 --universal \
    --no-header --no-emit-index-url --no-emit-find-links

.PHONY: help run dev test check bench drills pages fuzz strength endings puzzles format lock screenshot screens icons words environment development scripts cluster
.DELETE_ON_ERROR:

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: environment ## Serve Parlour; HOST=0.0.0.0 lets others on your network in, PORT=9000 moves it
	@exec $(VENV) -m tools.run --host $(HOST) --port $(PORT)

dev: development ## Serve with DEBUG and reload, on a database of its own with demo data; PORT=9000 moves it
	@exec $(VENV) -m tools.dev --host $(HOST) --port $(PORT)

cluster: development ## Serve it as on several machines: PostgreSQL, Redis, nginx, two servers, a worker; until Ctrl-C; PORT=9000 names the port, PROXY=caddy takes Caddy and one server
	@exec $(VENV) -m tools.harness.cluster $(if $(filter file,$(origin PORT)),,--port $(PORT)) $(if $(PROXY),--proxy $(PROXY))

test: development ## Install what the tests need, check everything, run the tests (FULL=1: over every preset, window, language, theme and store; REQUIRE_ALL=1: skip nothing)
	@exec $(VENV) -m tools.test

check: development scripts ## Format, lint, types, templates, Django's own checks, known vulnerabilities of the packages
	@exec $(VENV) -m tools.check

bench: development ## Measure the cost and latency of a move, compared with other game servers
	@exec $(VENV) -m bench

drills: development ## Inject faults (kill -9, full disks, network black holes, load) and check the store; writes docs/explanation/reliability.md
	@exec $(VENV) -m bench.fault_injection

pages: development ## Measure page loads on a slow phone and write docs/explanation/performance.md
	@exec $(VENV) -m bench.pages

fuzz: development ## Send malformed input to a server on each store and report the latency of others; FUZZ_SEED=2, FUZZ_SECONDS=600
	@exec $(VENV) -m pytest -q -s -m deep -o faulthandler_timeout=0 tests/servers/test_fuzz.py

strength: development ## Measure the strength of the computer players and write docs/explanation/strength.md; takes hours
	@exec $(VENV) -m bench.strength

endings: environment ## Make the tables of exact endings, and check them by another program
	@$(VENV) -m tools.kalah_tables
	@$(VENV) -m tools.morris_tables --check

puzzles: development ## Make all puzzles from nothing, and check each with a second program; takes half an hour
	@exec $(VENV) -m tools.puzzles

format: development ## Format the code
	@$(VENV) -m ruff check --fix --quiet . ; $(VENV) -m ruff format .

screenshot: development ## Retake the picture in the README and those of the install dialog
	@FULL=1 PICTURES=docs $(VENV) -m pytest -q tests/browser/test_screenshot.py -k readme
	@FULL=1 PICTURES=static/images $(VENV) -m pytest -q tests/browser/test_screenshot.py -k install

screens: development ## Take pictures of every page and state into screens/, and contact sheets into docs/
	@exec $(VENV) -m tools.screens

icons: development ## Redraw the icons for phones
	@exec $(VENV) -m tools.icons

words: development ## Extract the sentences for translation, and merge them into locale/
	@exec $(VENV) -m tools.words

lock: development ## Pin the newest allowed packages of pyproject.toml, with hashes
	@$(LOCK) pyproject.toml --all-extras --output-file requirements.txt
	@$(LOCK) pyproject.toml --constraint requirements.txt --output-file requirements-web.txt
	@$(LOCK) pyproject.toml --all-extras --group dev --constraint requirements.txt --output-file requirements-dev.txt
	@echo uv | $(LOCK) - --no-annotate --constraint requirements-dev.txt --output-file requirements-uv.txt
	@npm update --package-lock-only

# What follows is installed once, and again when its pins have changed.

environment: .venv/bin/python
	@$(VENV) -m tools.packages requirements.txt

development: .venv/bin/python
	@$(VENV) -m tools.packages requirements.txt requirements-dev.txt

# A link, which leads nowhere once its Python is removed; then the environment is made anew.
.venv/bin/python:
	@$(PYTHON) -m venv --clear .venv

# Linters and types for the browser modules; tools.check skips them where there is no npm.
scripts:
	@cmp -s package-lock.json node_modules/package-lock.json || ! command -v npm >/dev/null || { npm ci && cp package-lock.json node_modules/package-lock.json; } || \
	    echo "npm could not install the packages of package-lock.json." >&2
