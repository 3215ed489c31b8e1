# The two commands of the README are `make run` and `make test`; each does all of its own set-up.
.PHONY: run test bench setup build python docs web fuzz clean

PRESET ?= release
JOBS ?= $(shell nproc)

run: setup
	@tools/build.sh $(PRESET) toccata_cli
	@./build/$(PRESET)/apps/toccata/toccata demo torus_knots

test:
	@tools/setup.sh test
	@tools/run_tests.sh

bench:
	@tools/setup.sh bench
	@tools/run_benchmarks.sh

fuzz:
	@tools/setup.sh test
	@tools/run_fuzzers.sh

# The wheel, installed into the clean environment build/wheel/venv and tested there.
python:
	@tools/setup.sh python
	@tools/build_wheel.sh build/wheel
	@build/wheel/venv/bin/python tests/python/run_tests.py

# The documentation as a site: build/docs/site/index.html.
docs:
	@tools/setup.sh docs
	@tools/build_docs

setup:
	@tools/setup.sh run

build: setup
	@tools/build.sh $(PRESET)

clean:
	rm -rf build install
