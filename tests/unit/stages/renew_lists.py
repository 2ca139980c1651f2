"""Writes every list of small prints anew, after a rule was changed on purpose; read the difference then.

python -m tests.unit.stages.renew_lists
"""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[3]

if __name__ == "__main__":
    for test in sorted(Path(__file__).parent.rglob("test_*.py")):
        if 'if __name__ == "__main__":' in test.read_text(encoding="utf-8"):
            runpy.run_module(".".join(test.relative_to(ROOT).with_suffix("").parts), run_name="__main__")
