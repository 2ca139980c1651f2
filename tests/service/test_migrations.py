"""A store of an earlier release opens with this one, and keeps what it holds."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from receipt_engine.service.assembly import open_parts
from receipt_engine.service.storage import migrations
from receipt_engine.service.storage.database import Database, DatabaseQueryFailed
from receipt_engine.service.storage.schema import facts, metadata
from tests.service.conftest import Service
from tests.service.pictures import png

#: What brings the present tables back to those of version 1.
_BACK = (
    "DROP TABLE audit",
    "ALTER TABLE api_keys DROP COLUMN name",
    "ALTER TABLE api_keys DROP COLUMN used_at",
    "DROP INDEX fair_job",
    "DROP INDEX turns_of_account",
    "ALTER TABLE jobs DROP COLUMN turn",
)


def set_version(database: Database, version: str) -> None:
    with database.write() as connection:
        connection.execute(facts.update().where(facts.c.name == "schema").values(value=version.encode()))


def shape(database: Database) -> dict[str, tuple[set[str], set[str | None]]]:
    """Columns and indices of every table."""
    look = sa.inspect(database.engine)
    return {
        table.name: (
            {column["name"] for column in look.get_columns(table.name)},
            {index["name"] for index in look.get_indexes(table.name)},
        )
        for table in metadata.sorted_tables
    }


def test_a_store_of_the_first_release_is_brought_up_to_date(service: Service) -> None:
    database = service.parts.database
    done = service.upload(png())["token"]
    service.work()
    waiting = service.upload(png())["token"]
    before = shape(database)
    with database.write() as connection:
        for statement in _BACK:
            connection.execute(sa.text(statement))
    set_version(database, "1")
    opened = open_parts(service.settings)
    try:
        assert shape(opened.database) == before
    finally:
        opened.close()
    assert service.work() == 1
    assert [service.result(token)["code"] for token in (done, waiting)] == [202, 202]


@pytest.mark.parametrize("version", [str(migrations.VERSION + 1), "unheard of"])
def test_a_store_of_a_later_release_is_refused(service: Service, version: str) -> None:
    set_version(service.parts.database, version)
    with pytest.raises(DatabaseQueryFailed, match="use the release that created it"):
        service.parts.database.create()
    set_version(service.parts.database, str(migrations.VERSION))
