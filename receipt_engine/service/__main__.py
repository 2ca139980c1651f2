"""`python -m receipt_engine.service COMMAND …`: only the service's commands, not the rest of the CLI."""

from __future__ import annotations

import argparse
import sys

from receipt_engine.service.commands import add_commands


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="receipt-engine")
    add_commands(parser.add_subparsers(required=True, metavar="COMMAND"))
    parsed = parser.parse_args(arguments)
    return int(parsed.run(parsed))


if __name__ == "__main__":
    sys.exit(main())
