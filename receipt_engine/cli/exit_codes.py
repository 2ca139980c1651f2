"""Exit codes of every command."""

OK = 0
#: Some files failed, or the only one did.
FAILED = 1
#: Wrong usage, as in argparse: nothing was read or written.
WRONG_USAGE = 2
#: Several files, and none could be read.
NOTHING_READ = 3
#: Ended by Ctrl-C, and by a closed standard output: 128 plus the signal's number, as in shells.
INTERRUPTED = 130
BROKEN_PIPE = 141
