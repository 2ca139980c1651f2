"""Converts the engine's Result into the JSON that the service stores.

Existing clients read the components of `addressNorm` without checking for null. The interface neither allows
that nor forbids the service to help, so a null `addressNorm` becomes an object whose components are null.
Nothing else is changed; in particular, no null becomes 0.
"""

from __future__ import annotations

import json
from functools import cache

from receipt_engine import json_schema

#: Its first occurrence is the Result's own field: quotes inside texts are escaped, and evidence comes last.
_UNKNOWN = '"addressNorm":null'


@cache
def _components() -> str:
    names = json_schema()["$defs"]["AddressNorm"]["properties"]
    return '"addressNorm":' + json.dumps(dict.fromkeys(names), separators=(",", ":"))


def stored_form(result: str) -> bytes:
    """Returns the engine's JSON as clients get it, in UTF-8."""
    return result.replace(_UNKNOWN, _components(), 1).encode()
