"""Migrates the tables of an earlier release. New tables need no step: `Database.create` makes them.

Every step works on both SQLite and PostgreSQL and runs in the transaction that opens the database.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

#: Schema version: the statements that lead to it from the previous one.
STEPS: Mapping[int, tuple[str, ...]] = {
    2: (
        "ALTER TABLE jobs ADD COLUMN turn BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX fair_job ON jobs (state, turn, queued_at)",
        "CREATE INDEX turns_of_account ON jobs (account_id, state, turn)",
    ),
    3: (
        "ALTER TABLE api_keys ADD COLUMN name VARCHAR(100) NOT NULL DEFAULT ''",
        "ALTER TABLE api_keys ADD COLUMN used_at BIGINT",
    ),
}
VERSION = max(STEPS)


def migrate(connection: sa.Connection, found: int) -> None:
    """Runs the steps after version `found`."""
    for version in range(found + 1, VERSION + 1):
        for statement in STEPS[version]:
            connection.execute(sa.text(statement))
