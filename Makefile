# The two commands of the README are `make run` and `make test`; each does all of its own set-up.
.PHONY: run test bench setup build python docs package web fuzz clean

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

# Debian packages and the program's tarball, in build/package. tools/test_packages.sh tries them on a clean system.
package:
	@tools/setup.sh package
	@tools/build.sh package
	@cd build/package && rm -f *.deb *.tar.gz && cpack -G DEB && cpack -G TGZ && ls *.deb *.tar.gz

setup:
	@tools/setup.sh run

build: setup
	@tools/build.sh $(PRESET)

clean:
	rm -rf build install
