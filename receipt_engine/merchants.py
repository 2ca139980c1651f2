"""A table of known merchants: imported from CSV, stored in SQLite, searched by a receipt's printed data.

The CSV has a header row with these columns, in any order; only `name` is required, and the lists are
separated by ``|``::

    id,name,aliases,phones,addresses,ids
    17,Corner Deli,Corner Deli Ltd|The Corner,020 7946 0018,12 Mill Lane London N1 7AB,GB123456789

A million merchants take about 200 MB, somewhat more than a minute to import and two milliseconds per search:
no search reads the whole table (measured by ``benchmarks/protocols/merchants.py``).
Candidates are found by keys (a phone's last digits, a tax number, postcode and house number, words of the
name), and only these few are compared letter by letter.
"""

from __future__ import annotations

import csv
import os
import re
import sqlite3
import threading
import unicodedata
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from receipt_engine.document import KnownMerchant
from receipt_engine.errors import MerchantTableError, in_words, refuse_to_replace

COLUMNS = ("id", "name", "aliases", "phones", "addresses", "ids")
_SCHEMA_VERSION = 1
_BATCH = 20_000
#: A key that more merchants share than this does not narrow the search.
_CROWDED = 400
#: Prefixes of the keys made from a name, and the most candidates that share only such keys: those with the
#: rarest keys.
_NAME_KEYS = "wht"
_MOST_BY_NAME = 80
#: Merchants fetched per query.
_FETCHED = 500
_PHONE_DIGITS = 8
_NAME_SIMILARITY = 0.6
_ADDRESS_SIMILARITY = 0.72
#: Addresses with fewer letters and digits than this are not compared.
_SHORT_ADDRESS = 8
_EDGE = 6

_CREATE = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE merchants (
    row INTEGER PRIMARY KEY, id TEXT, name TEXT, aliases TEXT, phones TEXT, addresses TEXT, ids TEXT
);
CREATE TABLE keys (key TEXT, row INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class _Entry:
    row: int
    id: str
    names: tuple[str, ...]
    phones: tuple[str, ...]
    addresses: tuple[str, ...]
    ids: tuple[str, ...]


def import_merchants(csv_file: str | os.PathLike[str], database: str | os.PathLike[str]) -> int:
    """Builds a merchant table from a CSV file, replacing an older one only when the new one is complete.

    Returns the number of merchants. Raises MerchantTableError, which names the line, when the file is not
    such a CSV, or when the table cannot be written, and OptionError when it would replace the CSV file.
    """
    csv_file, database = Path(csv_file), Path(database)
    refuse_to_replace(database, [csv_file])
    temporary = database.with_name(f"{database.name}.{os.getpid()}.new")
    try:
        with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _CREATE)
            connection.execute("BEGIN")
            count = _fill(connection, _read(csv_file))
            connection.execute("INSERT INTO facts VALUES ('schema', ?)", (str(_SCHEMA_VERSION),))
            connection.execute("COMMIT")
        temporary.replace(database)
    except (OSError, sqlite3.Error) as error:
        why = in_words(error, with_file=False)
        raise MerchantTableError(f"{database} cannot be written: {why}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def _read(csv_file: Path) -> Iterator[tuple[str, ...]]:
    """The columns of every merchant, in the order of COLUMNS."""
    try:
        with csv_file.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = [column.strip().lower() for column in reader.fieldnames or ()]
            _check(csv_file, columns)
            reader.fieldnames = columns
            for record in reader:
                if None in record:
                    raise MerchantTableError(
                        f"{csv_file}, line {reader.line_num}: more cells than columns. "
                        "Quote cells that contain commas."
                    )
                values = tuple((record.get(column) or "").strip() for column in COLUMNS)
                if not values[1]:
                    raise MerchantTableError(f"{csv_file}, line {reader.line_num}: the merchant has no name.")
                yield values
    except OSError as error:
        raise MerchantTableError(in_words(error)) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise MerchantTableError(f"{csv_file} cannot be read as CSV in UTF-8: {error}.") from error


def _check(csv_file: Path, columns: Sequence[str]) -> None:
    unknown = [column for column in columns if column not in COLUMNS]
    if "name" not in columns or unknown:
        wrong = f"unknown columns {', '.join(unknown)}" if unknown else "no column called name"
        raise MerchantTableError(f"{csv_file}: {wrong}. The header may contain {', '.join(COLUMNS)}.")


def _fill(connection: sqlite3.Connection, merchants: Iterable[tuple[str, ...]]) -> int:
    rows: list[tuple[object, ...]] = []
    keys: list[tuple[str, int]] = []
    count = 0
    for count, values in enumerate(merchants, 1):
        rows.append((count, *values))
        keys.extend((key, count) for key in _entry_keys(_entry((count, *values))))
        if len(rows) >= _BATCH:
            _write(connection, rows, keys)
    _write(connection, rows, keys)
    return count


def _write(
    connection: sqlite3.Connection, rows: list[tuple[object, ...]], keys: list[tuple[str, int]]
) -> None:
    connection.executemany("INSERT INTO merchants VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", sorted(keys))
    rows.clear()
    keys.clear()


class MerchantTable:
    """An imported table, opened for reading. Safe to share between threads."""

    def __init__(self, database: str | os.PathLike[str]) -> None:
        """Raises MerchantTableError when the file is missing or is not a merchant table of this version."""
        self._database = Path(database)
        self._local = threading.local()
        if not self._database.is_file():
            raise MerchantTableError(
                f"{database}: there is no such file; "
                "`receipt-engine merchants import` creates one from a CSV file."
            )
        try:
            (version,) = (
                self._connection().execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
            )
        except (sqlite3.Error, TypeError) as error:
            raise MerchantTableError(
                f"{database} is not a merchant table; import the CSV file again."
            ) from error
        if version != str(_SCHEMA_VERSION):
            raise MerchantTableError(f"{database} was created by another version; import the CSV file again.")

    def __reduce__(self) -> tuple[type[MerchantTable], tuple[Path]]:
        return MerchantTable, (self._database,)  # reopened when unpickled

    def __len__(self) -> int:
        (count,) = self._connection().execute("SELECT count(*) FROM merchants").fetchone()
        return int(count)

    def find(
        self, names: Sequence[str], phones: Sequence[str], address: str | None, ids: Sequence[str]
    ) -> KnownMerchant | None:
        """The merchant that agrees best with the printed data; None when no merchant with a similar name
        agrees in phone, address or number."""
        best: tuple[float, KnownMerchant] | None = None
        for entry in self._candidates(names, phones, address, ids):
            known, score = _compare(entry, names, phones, address, ids)
            if known is not None and (best is None or score > best[0]):
                best = (score, known)
        return best[1] if best else None

    def _candidates(
        self, names: Sequence[str], phones: Sequence[str], address: str | None, ids: Sequence[str]
    ) -> list[_Entry]:
        printed = _Entry(0, "", tuple(names), tuple(phones), (address,) if address else (), tuple(ids))
        connection = self._connection()
        rows: set[int] = set()
        named: dict[int, float] = {}
        for key in sorted(_entry_keys(printed)):
            found = connection.execute(
                "SELECT row FROM keys WHERE key = ? LIMIT ?", (key, _CROWDED + 1)
            ).fetchall()
            if len(found) > _CROWDED:
                continue
            if key[0] not in _NAME_KEYS:
                rows.update(row for (row,) in found)
                continue
            for (row,) in found:
                named[row] = named.get(row, 0.0) + 1 / len(found)
        rows.update(sorted(named, key=lambda row: (-named[row], row))[:_MOST_BY_NAME])
        wanted = sorted(rows)
        records: list[tuple[object, ...]] = []
        for at in range(0, len(wanted), _FETCHED):
            part = wanted[at : at + _FETCHED]
            marks = ",".join("?" * len(part))
            records += connection.execute(
                f"SELECT * FROM merchants WHERE row IN ({marks}) ORDER BY row", part
            )
        return [_entry(record) for record in records]

    def _connection(self) -> sqlite3.Connection:
        """The thread's own connection, closed when the thread or the table ends, whichever is first."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            uri = f"{self._database.absolute().as_uri()}?mode=ro"
            connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._local.connection = connection
            self._local.end = closing(connection)
            weakref.finalize(self._local.end, connection.close)
        return connection


def _entry(record: Sequence[object]) -> _Entry:
    row, identifier, name, aliases, phones, addresses, ids = record
    return _Entry(
        int(str(row)),
        str(identifier),
        (str(name), *_listed(str(aliases))),
        _listed(str(phones)),
        _listed(str(addresses)),
        _listed(str(ids)),
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|") if part.strip())


def _entry_keys(entry: _Entry) -> set[str]:
    """The keys by which a merchant is found."""
    keys = {f"p{digits[-_PHONE_DIGITS:]}" for digits in map(_digits, entry.phones) if len(digits) >= 6}
    keys |= {f"i{_plain(number)}" for number in entry.ids if len(_plain(number)) >= 5}
    for address in entry.addresses:
        keys |= _address_keys(address)
    for name in entry.names:
        words = re.findall(r"[^\W\d_]+", _folded(name))
        joined = "".join(words)
        keys |= {f"w{word}" for word in words if len(word) >= 4}
        if len(joined) >= _EDGE:
            keys |= {f"h{joined[:_EDGE]}", f"t{joined[-_EDGE:]}"}
        elif joined:
            keys.add(f"h{joined}")
    return keys


def _address_keys(address: str) -> set[str]:
    """Pairs of a long and a short number (postcode and house number), and postcodes with letters."""
    plain = _folded(address)
    numbers = re.findall(r"\d+", plain)
    keys = {f"a{long}/{short}" for long in numbers if len(long) >= 4 for short in numbers if short != long}
    keys |= {
        f"a{code.replace(' ', '')}"
        for code in re.findall(r"\b[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}\b|\b[a-z]\d[a-z] ?\d[a-z]\d\b", plain)
    }
    return keys


def _compare(
    entry: _Entry, names: Sequence[str], phones: Sequence[str], address: str | None, ids: Sequence[str]
) -> tuple[KnownMerchant | None, float]:
    phone = any(_same_phone(own, printed) for own in entry.phones for printed in phones)
    at = address is not None and any(_same_address(own, address) for own in entry.addresses)
    numbered = any(_plain(own) == _plain(printed) for own in entry.ids for printed in ids)
    if not (phone or at or numbered):
        return None, 0.0
    alike, known_as = max(
        ((_name_similarity(own, printed), own) for own in entry.names for printed in names),
        default=(0.0, entry.names[0]),
    )
    if alike < _NAME_SIMILARITY:
        return None, 0.0
    score = alike + phone + at + numbered
    return KnownMerchant(entry.id, known_as, phone, at), score


@lru_cache(maxsize=4096)
def _name_similarity(own: str, printed: str) -> float:
    """Similarity from 0 to 1; a name contained in the other counts nearly as much as an equal one."""
    a, b = _plain(own), _plain(printed)
    if len(a) < 2 or len(b) < 2:
        return 0.0
    whole = fuzz.ratio(a, b) / 100
    inside = fuzz.partial_ratio(a, b) / 100 if min(len(a), len(b)) >= 4 else 0.0
    return max(whole, 0.9 * inside)


def _same_phone(own: str, printed: str) -> bool:
    """Whether the last digits are equal but for one misread digit."""
    a, b = _digits(own)[-_PHONE_DIGITS:], _digits(printed)[-_PHONE_DIGITS:]
    if min(len(a), len(b)) < 6:
        return False
    return a == b or (len(a) == len(b) == _PHONE_DIGITS and OSA.distance(a, b) <= 1)


def _same_address(own: str, printed: str) -> bool:
    """Whether the words are similar and no house number or postcode contradicts."""
    ours, theirs = set(re.findall(r"\d+", _folded(own))), set(re.findall(r"\d+", _folded(printed)))
    if ours and theirs and not ours & theirs:
        return False
    if min(len(_plain(own)), len(_plain(printed))) < _SHORT_ADDRESS:
        return False
    return fuzz.token_set_ratio(_spaced(own), _spaced(printed)) / 100 >= _ADDRESS_SIMILARITY


def _digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(c)) for c in text if c.isdecimal())


@lru_cache(maxsize=8192)
def _folded(text: str) -> str:
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))


def _plain(text: str) -> str:
    return "".join(c for c in _folded(text) if c.isalnum())


def _spaced(text: str) -> str:
    return " ".join(re.findall(r"\w+", _folded(text)))
