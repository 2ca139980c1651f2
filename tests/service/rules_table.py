"""Writes docs/service/rules.md: every rule of the interface and the tests that hold it.

python -m tests.service.rules_table
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.service.rules import RULES

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "docs" / "service" / "rules.md"


def holders() -> dict[str, list[str]]:
    """Rule id to `file::test`, read from the decorators without importing the tests."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "rule":
                    for argument in decorator.args:
                        found[ast.literal_eval(argument)].append(f"{path.stem}::{node.name}")
    return dict(found)


def render() -> str:
    """The table as Markdown."""
    found = holders()
    lines = [
        "# Rules of the interface and their tests",
        "",
        "Written by `python -m tests.service.rules_table`; a test keeps it fresh.",
    ]
    for section, rules in RULES.items():
        lines += ["", f"## {section}", "", "| rule | what it says | tests |", "|---|---|---|"]
        for rule_id, sentence in rules.items():
            tests = "<br>".join(f"`{name}`" for name in found.get(rule_id, []))
            lines.append(f"| {rule_id} | {sentence} | {tests} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text(render(), encoding="utf-8")
