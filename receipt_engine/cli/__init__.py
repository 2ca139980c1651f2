"""The command line: one module per command, combined by `main`."""

from receipt_engine.cli.main import main

__all__ = ["main"]
