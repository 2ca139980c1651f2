"""``python -m benchmarks``."""

import sys

if __name__ == "__main__":  # the processes that read pictures import this module, too
    from benchmarks.cli import main

    sys.exit(main())
