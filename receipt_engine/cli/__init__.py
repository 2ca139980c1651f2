"""The command line: one module a command, `main` ties them together."""

from receipt_engine.cli.main import main

__all__ = ["main"]
