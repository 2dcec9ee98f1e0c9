# Parlour. `make` alone lists what there is.

# Not `?=`: some shells export HOST as the name of the computer.
HOST := 127.0.0.1
PORT ?= 8000
PYTHON ?=
VENV := .venv/bin/python

export PYTHON

.PHONY: help run dev test check bench drills pages fuzz strength format lock screenshot screens icons words environment development cluster

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: environment ## Serve Parlour; HOST=0.0.0.0 lets others on your network in, PORT=9000 moves it
	@exec $(VENV) -m tools.run --host $(HOST) --port $(PORT)

dev: development ## Serve with DEBUG and reload, on a database of its own with demo data; PORT=9000 moves it
	@exec $(VENV) -m tools.dev --host $(HOST) --port $(PORT)

cluster: development ## Serve it as several machines would: PostgreSQL, Redis, nginx, two servers, a worker; until Ctrl-C; PORT=9000 names the port
	@exec $(VENV) -m tools.harness.cluster $(if $(filter file,$(origin PORT)),,--port $(PORT))

test: development ## Install what the tests need, check everything, run the tests (FULL=1: over every preset, window, language, theme and store; REQUIRE_ALL=1: skip nothing)
	@exec $(VENV) -m tools.test

check: development ## Format, lint, types, templates, Django's own checks, known weaknesses of the packages
	@exec $(VENV) -m tools.check

bench: development ## Measure what a move costs and how soon it arrives, beside other servers of games
	@exec $(VENV) -m bench

drills: development ## Play through kill -9, full disks, black holes, crowds; a checker decides; writes docs/explanation/reliability.md
	@exec $(VENV) -m bench.fault_injection

pages: development ## Measure how soon pages are there on a slow phone and write docs/explanation/performance.md
	@exec $(VENV) -m bench.pages

fuzz: development ## Send nonsense for minutes to a server on each store and say how long others wait; FUZZ_SEED=2, FUZZ_SECONDS=600
	@exec $(VENV) -m pytest -q -s -m deep tests/servers/test_fuzz.py

strength: development ## Measure how well the computer plays and write docs/explanation/strength.md; takes hours
	@exec $(VENV) -m bench.strength

format: development ## Put the code into its one format
	@$(VENV) -m ruff check --fix --quiet . ; $(VENV) -m ruff format .

screenshot: development ## Take the picture in the README anew
	@FULL=1 PICTURES=docs $(VENV) -m pytest -q tests/browser/test_screenshot.py

screens: development ## Picture every page and state in screens/, and all of them in docs/screens.jpg
	@exec $(VENV) -m tools.screens

icons: development ## Draw the icons for phones anew
	@exec $(VENV) -m tools.icons

words: development ## Gather the sentences of the site for its translators, and merge them into locale/
	@exec $(VENV) -m tools.words

lock: development ## Pin the newest allowed packages, with hashes
	@exec $(VENV) -m tools.lock

environment:
	@python=$$(tools/find-python) && exec "$$python" tools/environment.py requirements.txt

development:
	@python=$$(tools/find-python) && exec "$$python" tools/environment.py requirements-dev.txt
