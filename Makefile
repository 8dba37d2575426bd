# Two commands show everything: `make demo` and `make test`.
# Each installs what it needs; `make help` lists the rest.

SHELL := /bin/bash
# Scripts and tests look for programs in target/, whatever the caller's habit.
unexport CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR
# rustup's folder, for shells that were opened before it was installed.
export PATH := $(PATH):$(HOME)/.cargo/bin

# The sampled tests draw from this seed; repeat a run with `make test MPISCOPE_TEST_SEED=…`.
ifndef MPISCOPE_TEST_SEED
MPISCOPE_TEST_SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif
export MPISCOPE_TEST_SEED

.PHONY: build python setup setup-demo setup-package install package demo test test-all fuzz lint bench clean help
.NOTPARALLEL:

build: ## Build target/release/mpiscope and its agent
	cargo build --release --package mpiscope --package mpiscope-agent

python: setup ## Build the Python package: a wheel in target/wheels, installed into target/oracle
	@scripts/python

setup: ## Install what tests and benchmarks need: MPIs, compilers, otf2-tools, real programs, Python environments
	@scripts/setup

setup-demo: ## Install what the demo needs: a C compiler and an MPI
	@scripts/setup demo

setup-package: ## Install what building packages needs: zig, Debian's Rust for AArch64, lintian
	@scripts/setup package

install: build ## Install below PREFIX (/usr/local); DESTDIR is put before it
	@DESTDIR=$(DESTDIR) scripts/install $(or $(PREFIX),/usr/local)

package: setup-package ## Build packages into target/package: tarballs, .deb, wheel, offline sources; says what was not built
	@scripts/package

demo: setup-demo build ## Trace heat on 4 ranks with two wrong clocks, correct it, say who waited for whom
	@scripts/demo

test: setup lint build ## All tests; where there is a matrix, a sample of it
	@echo "MPISCOPE_TEST_SEED=$(MPISCOPE_TEST_SEED)"
	@scripts/tests

test-all: export MPISCOPE_TEST_ALL := 1
test-all: export PROPTEST_CASES ?= 4096
test-all: test ## Every case of every matrix, many more random ones, a minute of search in each fuzz target
	@scripts/fuzz 60

fuzz: setup ## Search for inputs that do harm, FUZZ_SECONDS (300) in each target
	@scripts/fuzz $(or $(FUZZ_SECONDS),300)

lint: ## Formatting, clippy, and the libraries we use; what is not installed is said and left out, with CI=true an error
	@scripts/lint

bench: setup build ## Measure again what BENCHMARKS.md sums up
	@bench/run

clean: ## Remove everything built, the Python oracle too
	rm -rf target

help: ## This list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
