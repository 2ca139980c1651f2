"""`receipt-engine regions`: lists the regions, or checks your own region files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from receipt_engine.cli.exit_codes import FAILED, OK


def add_regions(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the parser."""
    regions = commands.add_parser("regions", help="list the regions, or check your own region files")
    actions = regions.add_subparsers(required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="print the code and name of every region")
    listed.add_argument(
        "--regions", type=Path, metavar="DIR", help="include your own region files in this folder"
    )
    listed.set_defaults(run=_list)
    check = actions.add_parser("check", help="check a folder of region files (see regions/README.md)")
    check.add_argument("folder", type=Path, metavar="DIR")
    check.set_defaults(run=_check)


def _list(options: argparse.Namespace) -> int:
    import receipt_engine
    from receipt_engine import own_regions

    in_use = own_regions.use(options.regions)
    for code, name in receipt_engine.regions().items():
        print(f"{code}  {name}")
    del in_use
    return OK


def _check(options: argparse.Namespace) -> int:
    from receipt_engine import own_regions, region_check

    problems = region_check.unreadable(options.folder)
    if not problems:
        in_use = own_regions.use(options.folder)
        problems = region_check.check_folder(options.folder)
        del in_use
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} to fix in {options.folder}", file=sys.stderr)
        return FAILED
    regions, languages = region_check.own_files(options.folder)
    print(f"{options.folder}: {regions} regions and {languages} languages are valid")
    return OK
