"""`python -m receipt_engine`: the command line."""

import sys

from receipt_engine.cli import main

if __name__ == "__main__":
    sys.exit(main())
