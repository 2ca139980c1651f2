"""What the service makes of the engine's Result before it is stored.

Clients in use read the components of `addressNorm` without asking whether it is there, which the interface
allows them as little as it forbids the service to help: where nothing is known of an address, the service
answers an object whose components are null. Nothing else is changed, least of all a null into a 0.
"""

from __future__ import annotations

import json
from functools import cache

from receipt_engine import json_schema

#: The first occurrence is the Result's own: quotes inside texts are escaped, and evidence comes last.
_UNKNOWN = '"addressNorm":null'


@cache
def _components() -> str:
    names = json_schema()["$defs"]["AddressNorm"]["properties"]
    return '"addressNorm":' + json.dumps(dict.fromkeys(names), separators=(",", ":"))


def stored_form(result: str) -> bytes:
    """The engine's JSON as clients get it, UTF-8."""
    return result.replace(_UNKNOWN, _components(), 1).encode()
