"""Exit codes of every command."""

OK = 0
#: Some files failed, or the one thing that was asked for did.
FAILED = 1
#: Wrong usage, argparse's own: nothing was read or written.
WRONG_USAGE = 2
#: Several files, and none could be read.
NOTHING_READ = 3
#: Ended by Ctrl-C, and by a reader of standard output that went away, as shells count it.
INTERRUPTED = 130
BROKEN_PIPE = 141
