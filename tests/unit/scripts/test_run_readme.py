"""What is taken for the README's commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.run_readme import commands

ROOT = Path(__file__).parents[3]
README = """
# Engine

```
not this
```

## Install and read a receipt

```
install && read
```

```python
read()
print()
```

```
read FILE
```

## Run the tests
"""


def test_the_first_blocks_of_the_section_are_its_commands() -> None:
    assert commands(README) == ("install && read", "read()\nprint()")


def test_a_readme_without_commands_is_refused() -> None:
    with pytest.raises(SystemExit, match="no commands"):
        commands(README.replace("```python", "```"))


def test_the_projects_readme_reads_a_file_that_is_there() -> None:
    for block in commands((ROOT / "README.md").read_text(encoding="utf-8")):
        assert "examples/receipt.jpg" in block
    assert (ROOT / "examples" / "receipt.jpg").is_file()
