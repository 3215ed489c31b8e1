"""Runs the tests and the examples in the docstrings against the installed package.

usage: VENV/bin/python tests/python/run_tests.py [unittest options]
"""
import doctest
import importlib
import os
import pkgutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def load_tests() -> unittest.TestSuite:
    import toccata

    suite = unittest.defaultTestLoader.discover(HERE, pattern="test_*.py", top_level_dir=HERE)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    examples = 0
    for module in [toccata] + [
        importlib.import_module(f"toccata.{info.name}")
        for info in pkgutil.iter_modules(toccata.__path__)
        if info.name != "_toccata"
    ]:
        found = doctest.DocTestSuite(module, optionflags=flags)
        examples += found.countTestCases()
        suite.addTests(found)
    if examples < 10:
        raise SystemExit(f"only {examples} docstrings with examples were found")
    return suite


if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.path.join(os.path.dirname(HERE), "python")]
    sys.path.insert(0, HERE)
    result = unittest.TextTestRunner(verbosity=1).run(load_tests())
    sys.exit(0 if result.wasSuccessful() else 1)
