"""Runs ``python -m benchmarks``."""

import sys

if __name__ == "__main__":  # the worker processes that read images import this module too
    from benchmarks.cli import main

    sys.exit(main())
