"""Limits how many texts of receipts the package's caches keep.

Two kinds of functions are cached: functions of rules (few entries, costly, needed for every receipt) and
functions of texts (many entries, cheap, mostly reused within the same receipt). The latter declare a maximum
size of a thousand entries or more. Together they would keep some 200,000 texts of receipts processed long
ago, so they are emptied whenever they hold more than a long receipt needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from typing import Any, TypeAlias

_Cache: TypeAlias = "_lru_cache_wrapper[Any]"

#: Least maximum size of a cache that counts as a cache of texts.
_OF_TEXTS = 1000
#: Most entries of all caches of texts together; about 250 bytes each.
_MOST_TEXTS = 60_000

_of_texts: list[_Cache] = []
_modules = 0


def trim() -> None:
    """Empties the caches of texts when together they hold too much. Cheap enough for every receipt."""
    global _of_texts, _modules
    if _modules != len(sys.modules):
        _modules = len(sys.modules)
        _of_texts = [cache for cache in _all() if (cache.cache_parameters()["maxsize"] or 0) >= _OF_TEXTS]
    if sum(cache.cache_info().currsize for cache in _of_texts) > _MOST_TEXTS:
        for cache in _of_texts:
            cache.cache_clear()


def clear() -> None:
    """Empties every cache of the package; to be called when the rules change."""
    for cache in _all():
        cache.cache_clear()


def _all() -> Iterator[_Cache]:
    """Every cached function and method of the package's loaded modules, each once."""
    found: dict[int, _Cache] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "receipt_engine":
            continue
        for value in list(vars(module).values()):
            members = list(vars(value).values()) if isinstance(value, type) else [value]
            found |= {id(member): member for member in members if isinstance(member, _lru_cache_wrapper)}
    yield from found.values()
