"""Runs the commands of the README's installation section as they stand, and checks the total they print.

    python scripts/run_readme.py

Run it in a fresh environment: the first command installs the package there. It uses only the standard
library, and finds the package where it was installed, not in the checkout.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECTION = "Install and read a receipt"


def main() -> int:
    """Returns the exit status: 0 when shell and Python both print the total of `examples/receipt.json`."""
    expected = json.loads((ROOT / "examples" / "receipt.json").read_text(encoding="utf-8"))["total"]
    shell, snippet = commands((ROOT / "README.md").read_text(encoding="utf-8"))
    print(shell, flush=True)
    # The installer may print before the JSON, which ends the output.
    printed = _output(["bash", "-euc", shell])
    found = json.loads(printed[printed.index("{\n") :])["total"]
    print(f"total {found}\n\n{snippet}", flush=True)
    first = _output([sys.executable, "-P", "-c", snippet]).split()[0]
    print(f"total {first}")
    totals = [Decimal(str(total)) for total in (expected, found, first)]
    if len(set(totals)) > 1:
        print(f"The README's commands should both print the total {expected}.", file=sys.stderr)
        return 1
    return 0


def commands(readme: str) -> tuple[str, str]:
    """The first block of the section, for a shell, and its first block of Python."""
    section = readme.partition(f"\n## {SECTION}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    shell = next((block for language, block in blocks if not language), "")
    snippet = next((block for language, block in blocks if language == "python"), "")
    if not shell or not snippet:
        raise SystemExit(f"README.md has no commands under {SECTION!r}.")
    return shell.strip(), snippet.strip()


def _output(command: list[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True)
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
