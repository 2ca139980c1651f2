"""What brings the tables of an earlier release to the present ones. Tables that are new are made anyway.

Every step is written for SQLite and PostgreSQL alike and runs in the transaction that opens the database.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

#: Version: the statements that lead to it from the one before.
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
