# `make demo` runs the main job, `make test` passes the tests; both set up all they need first.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := 0.13.8
VALE   := 3.19.0
BILL   := 7.5.0
READY  := $(VENV)/.ready

.PHONY: help demo quick quick-lint quick-test docs-lint test coverage versions test-live cut release dist setup lint lock site clean systems

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

setup: $(READY)  ## virtual environment with the locked dependencies

# An environment of its own in the folder $(1), with uv in it.
define NEW_ENVIRONMENT
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
@$(PYTHON) -m venv $(1) || { echo "python's venv module is missing: install it (Debian: apt install python3-venv)"; exit 1; }
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock || \
  { echo "Could not fetch uv with pip: check the network, proxy and pip's index settings, then run make again"; exit 1; }
endef
NOT_FETCHED := { echo "Could not fetch the locked packages: check the network, then run make again; what is here already is kept"; exit 1; }

$(READY): requirements.lock requirements-uv.lock pyproject.toml
	@echo "==> Setting up $(VENV) from requirements.lock (1.9 GB, some minutes the first time)"
	$(call NEW_ENVIRONMENT,$(VENV))
	@$(BIN)/uv pip sync --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock || $(NOT_FETCHED)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# The part of requirements.lock that engine and texts need: no Spark, browser, notebooks or Java.
QUICK := .venv-quick
QUICK_EXTRAS := metrics records remote schemas ssh tls zookeeper
$(QUICK)/.ready: requirements.lock requirements-uv.lock pyproject.toml
	@echo "==> Setting up $(QUICK) from requirements.lock (300 MB)"
	$(call NEW_ENVIRONMENT,$(QUICK))
	@$(QUICK)/bin/uv pip compile --quiet --python $(QUICK)/bin/python --constraint requirements.lock --generate-hashes --no-header \
	  --group quick $(QUICK_EXTRAS:%=--extra %) pyproject.toml -o $(QUICK)/requirements.txt || $(NOT_FETCHED)
	@$(QUICK)/bin/uv pip sync --compile-bytecode --python $(QUICK)/bin/python --require-hashes $(QUICK)/requirements.txt || $(NOT_FETCHED)
	@$(QUICK)/bin/uv pip install --quiet --python $(QUICK)/bin/python --no-deps --no-build-isolation --editable .
	@touch $@

lock:  ## renew requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --group dev --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" pyproject.toml -o requirements.lock
	echo "uv==$(UV)" | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" - -o requirements-uv.lock
	echo "cyclonedx-bom==$(BILL)" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" - -o requirements-release.lock

lint: $(READY)  ## ruff, mypy, import contracts
	$(BIN)/ruff check checks tests
	$(BIN)/ruff format --check checks tests
	$(BIN)/mypy
	PYTHONPATH=checks $(BIN)/lint-imports --no-cache

quick: quick-lint quick-test  ## lint, types, tests of engine and texts: all that a sentence or a check needs (no live system, Spark, browser, lab)

# What is not in this environment has no types here; `make lint` sees them.
quick-lint: $(QUICK)/.ready
	$(QUICK)/bin/ruff check checks tests
	$(QUICK)/bin/ruff format --check checks tests
	$(QUICK)/bin/mypy --cache-dir .mypy_cache/quick --no-warn-unused-ignores --disable-error-code import-not-found --disable-error-code import-untyped
	PYTHONPATH=checks $(QUICK)/bin/lint-imports --no-cache

# What judges, runs and reads, and the texts. Neither systems, files of the site and Spark, nor what is made of them.
ENGINE := allowed changes evidence formats judge lint model parse plugins probes procedure recording recoveries reports run safety schema_compat search \
  upgrade views what_if
TEXTS := runbooks test_docs.py test_layout.py test_nothing_made_up.py
quick-test: $(QUICK)/.ready
	PYTHONDONTWRITEBYTECODE= $(QUICK)/bin/pytest -q -n $(BESIDE) --dist loadgroup -m "not live and not kept" $(ENGINE:%=tests/%) $(TEXTS:%=tests/%)

# Vale is built from its source by Go, once. Of runbooks it reads the strings of blocks too, each at its own line.
.cache/vale-$(VALE)/vale:
	@command -v go >/dev/null || { echo "Go builds the prose linter: install Go 1.24 or newer (https://go.dev/doc/install)"; exit 1; }
	@echo "==> Building Vale $(VALE) (some minutes, once)"
	GOBIN=$(CURDIR)/$(@D) go install github.com/errata-ai/vale/v3/cmd/vale@v$(VALE)

docs-lint: $(READY) .cache/vale-$(VALE)/vale  ## the prose of runbooks, docs and README by docs/contributing.md, "Writing"
	$(BIN)/python tests/support/prose.py runbooks .cache/prose/runbooks
	.cache/vale-$(VALE)/vale --config tests/prose/vale.ini --glob='!{docs/decisions/*,docs/changelog.md}' README.md docs .cache/prose/runbooks

# Many tests wait, so there may be more processes than cores: make test BESIDE=0 runs one test after the other.
BESIDE := 3
# Python keeps what it compiled, also where the environment says that it should not: tests start it a thousand times.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n $(BESIDE) --dist loadgroup
# Tests of what judges and what runs come first, and count the branches that they take: floors below what they reach.
MEASURED := tests/judge tests/run tests/cli tests/incident tests/show tests/terminal
test: $(READY) lint systems coverage  ## everything CI runs
	RUNBOOK_BUILD_KUBERNETES=server $(PYTEST) $(MEASURED:%=--ignore=%)

coverage: $(READY)  ## tests of judging and running, with a floor for the branches they take
	$(PYTEST) $(MEASURED) --cov --cov-report=
	$(BIN)/coverage report --include='*/judge/*' --fail-under=99 --show-missing --skip-covered
	$(BIN)/coverage report --include='*/run/*' --fail-under=95 --show-missing --skip-covered

# SHAPE=plain, or SHAPE=plain/stop-broker, renews a part. The only thing that writes to tests/recorded.
test-live: $(READY) systems  ## make all kept evidence anew on real systems, and run every test on them
	RUNBOOK_BUILD_KUBERNETES=1 PYTHONPATH=tests $(BIN)/python -m support.evidence $(SHAPE)
	RUNBOOK_BUILD_KUBERNETES=1 $(PYTEST) $(if $(SHAPE),tests/live/test_kept_evidence.py,tests/live --thorough)

# Python's end and its beginning, with the oldest libraries that pyproject.toml allows, and with the newest that can be had.
OLDEST := python3.11
NEWEST := python3.13
VERSIONS := tests/answers tests/connections tests/formats tests/probes tests/judge tests/run tests/cli tests/incident tests/show tests/terminal tests/live/plain
versions: version-oldest version-newest  ## the tests of VERSIONS with the oldest and the newest Python and libraries
# Kept evidence is of the locked libraries, and what other releases of them warn of is not ours: neither is part of this.
version-oldest: PIN := --python $(OLDEST) --resolution lowest-direct
version-newest: PIN := --python $(NEWEST) --upgrade
version-%: $(READY) systems
	@$(word 2,$(PIN)) --version >/dev/null 2>&1 || \
	  { echo "$(word 2,$(PIN)) does not run here: name one that does, as in make versions NEWEST=/path/to/python3.13"; exit 1; }
	@mkdir -p .cache
	$(BIN)/uv pip compile --quiet $(PIN) --all-extras pyproject.toml -o .cache/$*.in
	$(BIN)/uv pip compile --quiet $(filter-out lowest-direct --resolution --upgrade,$(PIN)) --all-extras --group dev --generate-hashes \
	  --constraint .cache/$*.in pyproject.toml -o .cache/$*.txt
	$(BIN)/uv venv --quiet --clear --no-python-downloads $(wordlist 1,2,$(PIN)) .cache/$*
	$(BIN)/uv pip sync --quiet --python .cache/$*/bin/python --require-hashes .cache/$*.txt
	$(BIN)/uv pip install --quiet --python .cache/$*/bin/python --no-deps --no-build-isolation --editable .
	$(BIN)/uv pip list --python .cache/$*/bin/python | grep -E '^(confluent-kafka|kafka-python|kubernetes|paramiko|pyspark) '
	PYTHONDONTWRITEBYTECODE= .cache/$*/bin/pytest -n $(BESIDE) --dist loadgroup -W default -m "not kept" $(VERSIONS)

RELEASE := PYTHONPATH=tests $(BIN)/python -m support.release
cut: $(READY)  ## make cut VERSION=0.2.0: its day in the changelog, and the record of which check stood in it
	@test -n "$(VERSION)" || { echo "write make cut VERSION=0.2.0"; exit 2; }
	$(RELEASE) cut $(VERSION)

release: lint systems  ## everything, as before a tag: also refuses evidence of more than 30 days
	RUNBOOK_BUILD_KUBERNETES=server $(PYTEST) --release

# What is committed is built twice; its parts are those of the lock file, as a release was tested with them.
dist: $(READY)  ## make dist KEY=~/.ssh/release: the release's files in dist/, with digests that are signed
	@test -f "$(KEY)" || { echo "write make dist KEY=FILE, an SSH key: ssh-keygen -t ed25519 -f FILE makes one"; exit 2; }
	@mkdir -p .cache
	$(BIN)/uv venv --quiet --clear --no-python-downloads --python $(BIN)/python .cache/bill
	$(BIN)/uv pip sync --quiet --python .cache/bill/bin/python --require-hashes requirements-release.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links --constraint requirements.lock pyproject.toml -o .cache/bill.txt
	.cache/bill/bin/cyclonedx-py requirements --output-reproducible --pyproject pyproject.toml .cache/bill.txt -o .cache/bill.json
	$(RELEASE) dist dist .cache/bill.json "$(KEY)"

# What the tests drive beside Kafka: a browser, an SSH server, Prometheus; and a Kubernetes API server, which the first
# run builds with Go in minutes (`make test-live` builds the whole control plane). Tests of what is missing are skipped, and say so.
SYSTEMS := jq:jq curl:curl chromium:chromium nginx:nginx-light sshd:openssh-server ip:iproute2 prometheus:prometheus faketime:faketime tmux:tmux
systems:
	@missing=""; for one in $(SYSTEMS); do \
	  PATH="$$PATH:/usr/sbin:/sbin" command -v "$${one%%:*}" >/dev/null || missing="$$missing $${one#*:}"; done; \
	[ -z "$$missing" ] && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "==> Installing$$missing with apt-get, for the tests of real systems"; \
	  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
	      $$missing fonts-dejavu-core >/dev/null; } || echo "==> Not installed:$$missing. Their tests are skipped"; \
	else echo "==> Not on this machine:$$missing. Their tests are skipped"; fi

demo: $(READY)  ## the main job: lab, checks, scorecard, site
	$(BIN)/runbook lab demo

site: $(READY)  ## build the site from runbooks and results
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:  ## remove what can be rebuilt
	rm -rf $(VENV) $(QUICK) .cache site dist
