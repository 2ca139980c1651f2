"""Manages login sessions: a random cookie in the browser, and only its keyed digest in the database."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.accounts.audit import note
from receipt_engine.service.accounts.passwords import verify_password
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import accounts, sessions
from receipt_engine.service.storage.secret_keys import digest

COOKIE = "__Host-session"
LOGIN_COOKIE = "__Host-login"
# Milliseconds after which a session ends: without use, and in any case.
IDLE = 30 * 60_000
LONGEST = 12 * 3_600_000


@dataclass(frozen=True)
class Session:
    """The account that is logged in, and this session's form token."""

    account_id: int
    name: str
    csrf: str


class Sessions:
    """Opens, finds and closes sessions. secret: keys the digests and signs the login form."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self._database = database
        self._secret = secret

    def login(self, name: str, password: str) -> str | None:
        """Opens a session and returns its cookie value, or None when name or password is wrong.

        Unknown names take as long as wrong passwords.
        """
        query = sa.select(accounts.c.id, accounts.c.password, accounts.c.disabled)
        with self._database.read() as connection:
            row = connection.execute(query.where(accounts.c.name == name)).one_or_none()
        right = verify_password(password, row.password if row is not None else None)
        if not right or row is None or row.password is None or row.disabled:
            if row is not None:  # unknown names are not recorded: their number is unlimited
                with self._database.write() as connection:
                    note(connection, self._database.clock(), row.id, "login.refused")
            return None
        cookie = secrets.token_urlsafe(32)
        now = self._database.clock()
        values = {
            "digest": self._digest(cookie),
            "account_id": row.id,
            "csrf": secrets.token_urlsafe(32),
            "created_at": now,
            "used_at": now,
        }
        with self._database.write() as connection:
            connection.execute(sessions.insert().values(values))
            note(connection, now, row.id, "login")
        return cookie

    def find(self, cookie: str) -> Session | None:
        """Returns the session of a cookie; None when it is unknown, idle too long or too old."""
        now = self._database.clock()
        mine = sessions.c.digest == self._digest(cookie)
        query = (
            sa.select(sessions.c.account_id, sessions.c.csrf, sessions.c.used_at, accounts.c.name)
            .join(accounts)
            .where(mine, sessions.c.used_at > now - IDLE, sessions.c.created_at > now - LONGEST)
            .where(accounts.c.disabled.is_(False))
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        if now - row.used_at > IDLE // 10:
            with self._database.write() as connection:
                connection.execute(sessions.update().where(mine).values(used_at=now))
        return Session(row.account_id, row.name, row.csrf)

    def logout(self, cookie: str) -> None:
        """Ends a session on the server."""
        with self._database.write() as connection:
            mine = sessions.c.digest == self._digest(cookie)
            account_id = connection.scalar(sa.select(sessions.c.account_id).where(mine))
            connection.execute(sessions.delete().where(mine))
            if account_id is not None:
                note(connection, self._database.clock(), account_id, "logout")

    def logout_everywhere(self, account_id: int) -> None:
        """Ends every session of an account, for instance after a password change."""
        with self._database.write() as connection:
            connection.execute(sessions.delete().where(sessions.c.account_id == account_id))

    def logout_elsewhere(self, account_id: int, cookie: str) -> None:
        """Ends every session of an account except the one with this cookie."""
        others = (sessions.c.account_id == account_id, sessions.c.digest != self._digest(cookie))
        with self._database.write() as connection:
            connection.execute(sessions.delete().where(*others))

    def password_fits(self, account_id: int, password: str) -> bool:
        """Returns whether this is the account's password."""
        with self._database.read() as connection:
            stored = connection.scalar(sa.select(accounts.c.password).where(accounts.c.id == account_id))
        return verify_password(password, stored) and stored is not None

    def login_token(self, nonce: str) -> str:
        """Returns the form token for the nonce in a login page's cookie."""
        return digest(self._secret, b"login form", nonce.encode()).hex()

    def login_token_fits(self, nonce: str, token: str) -> bool:
        """Returns whether a submitted login form came from a page this service sent to the same browser."""
        return bool(nonce) and hmac.compare_digest(self.login_token(nonce).encode(), token.encode())

    def _digest(self, cookie: str) -> bytes:
        return digest(self._secret, b"session", cookie.encode())
