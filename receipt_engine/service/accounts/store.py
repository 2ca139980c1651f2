"""Stores accounts, their API keys and their credits."""

from __future__ import annotations

import hmac
import re
import secrets
import string
from contextlib import suppress
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.accounts.audit import note
from receipt_engine.service.codes import PROFILES, Profile
from receipt_engine.service.storage.database import Database, DatabaseDown, DatabaseQueryFailed
from receipt_engine.service.storage.schema import accounts, api_keys, ledger
from receipt_engine.service.storage.secret_keys import digest

ALPHABET = string.ascii_letters + string.digits
KEY_ID_LENGTH = 16
KEY_LENGTH = 64
#: Longest key name, in characters.
_KEY_NAME = 100
#: Milliseconds between updates of a key's last use.
_USE_NOTED_EVERY = 900_000
_KEY = re.compile(rb"[A-Za-z0-9]{64}")


class AccountError(ValueError):
    """An account or key command that cannot be carried out; the message says why."""


@dataclass(frozen=True)
class Caller:
    """The account behind a request's valid key. upload_rate, upload_burst: None for the defaults."""

    account_id: int
    key_id: str
    profile: Profile
    upload_rate: float | None
    upload_burst: float | None
    custom_fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class KeyInfo:
    """The data of a key that may be shown after its creation. Times in milliseconds."""

    id: str
    profile: Profile
    created_at: int
    revoked_at: int | None
    name: str = ""
    used_at: int | None = None  # the last call, accurate to 15 minutes


@dataclass(frozen=True)
class Account:
    """One account as an administrator sees it."""

    id: int
    name: str
    credits: int
    has_password: bool
    disabled: bool


def check_profile(profile: str) -> None:
    """Raises AccountError when there is no such envelope profile."""
    if profile not in PROFILES:
        raise AccountError(f"A key's profile must be {' or '.join(PROFILES)}, not {profile}.")


def random_text(length: int) -> str:
    """Returns letters and digits from a cryptographic random source."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


class Accounts:
    """Creates, finds and changes accounts. secret: keys the digests of API keys."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self._database = database
        self._secret = secret

    def caller(self, key: bytes | None) -> Caller | None:
        """Returns the caller for a key, or None. Unknown and revoked keys take the same path and time."""
        known = key if key is not None and _KEY.fullmatch(key) else b"0" * KEY_LENGTH
        with self._database.read() as connection:
            row = connection.execute(_FIND_KEY, {"key": known[:KEY_ID_LENGTH].decode()}).one_or_none()
        stored = bytes(row.digest) if row is not None else bytes(32)
        equal = hmac.compare_digest(stored, digest(self._secret, known))
        if row is None or not equal or known != key or row.disabled:
            return None
        if row.revoked_at is not None and row.revoked_at <= self._database.clock():
            return None
        key_id = known[:KEY_ID_LENGTH].decode()
        self._note_use(key_id, row.used_at)
        fields = _names(row.custom_fields)
        return Caller(row.id, key_id, row.profile, row.upload_rate, row.upload_burst, fields)

    def _note_use(self, key_id: str, before: int | None) -> None:
        """Records the use of a key, rarely enough to cost nothing. Failures are ignored."""
        now = self._database.clock()
        if before is not None and now - before < _USE_NOTED_EVERY:
            return
        with suppress(DatabaseDown, DatabaseQueryFailed), self._database.write() as connection:
            connection.execute(api_keys.update().where(api_keys.c.id == key_id).values(used_at=now))

    def create(self, name: str, credits: int) -> int:
        """Creates an account with a starting balance; returns its id. Raises AccountError."""
        if not name.strip() or len(name) > 200:
            raise AccountError("An account needs a name of 1 to 200 characters.")
        if credits < 0:
            raise AccountError("Credits cannot start below 0.")
        with self._database.write() as connection:
            if connection.scalar(sa.select(accounts.c.id).where(accounts.c.name == name)) is not None:
                raise AccountError(f"There is already an account named {name}.")
            now = self._database.clock()
            values = {"name": name, "credits": credits, "disabled": False, "created_at": now}
            inserted = connection.execute(accounts.insert().values(values).returning(accounts.c.id))
            account_id = inserted.scalar_one()
            if credits:
                _book(connection, account_id, credits, "opening balance", now)
            note(connection, now, account_id, "account.made", f"{credits} credits")
        return int(account_id)

    def find(self, name: str) -> Account:
        """Returns the account with that name; raises AccountError."""
        matches = [account for account in self.all() if account.name == name]
        if not matches:
            raise AccountError(f"There is no account named {name}; see: receipt-engine account list")
        return matches[0]

    def all(self) -> list[Account]:
        """Returns all accounts, sorted by name."""
        with self._database.read() as connection:
            rows = connection.execute(sa.select(accounts).order_by(accounts.c.name)).all()
        return [
            Account(row.id, row.name, row.credits, row.password is not None, bool(row.disabled))
            for row in rows
        ]

    def add_credits(self, account_id: int, amount: int, reason: str) -> int:
        """Adds credits, or removes them when negative; returns the new balance. Raises AccountError."""
        with self._database.write() as connection:
            update = accounts.update().where(accounts.c.id == account_id, accounts.c.credits + amount >= 0)
            changed = connection.execute(update.values(credits=accounts.c.credits + amount)).rowcount
            if not changed:
                raise AccountError("The account has fewer credits than that.")
            now = self._database.clock()
            _book(connection, account_id, amount, reason, now)
            note(connection, now, account_id, "credits.booked", str(amount))
            query = sa.select(accounts.c.credits).where(accounts.c.id == account_id)
            return int(connection.scalar(query) or 0)

    def credits(self, account_id: int) -> int:
        """Returns the balance."""
        with self._database.read() as connection:
            return int(connection.scalar(_BALANCE, {"account": account_id}) or 0)

    def set_limits(self, account_id: int, rate: float | None, burst: float | None) -> None:
        """Sets an account's uploads per second and burst; None: the service's defaults."""
        self._set(account_id, "limits.set", upload_rate=rate, upload_burst=burst)

    def limits(self, account_id: int) -> tuple[float | None, float | None]:
        """Returns the rate and burst set by `set_limits`."""
        query = sa.select(accounts.c.upload_rate, accounts.c.upload_burst).where(accounts.c.id == account_id)
        with self._database.read() as connection:
            row = connection.execute(query).one()
        return row.upload_rate, row.upload_burst

    def set_custom_fields(self, account_id: int, names: tuple[str, ...]) -> None:
        """Sets which `customFields` the results of new images carry; none by default."""
        self._set(account_id, "custom-fields.set", custom_fields=",".join(names))

    def custom_fields(self, account_id: int) -> tuple[str, ...]:
        """Returns the names set by `set_custom_fields`."""
        query = sa.select(accounts.c.custom_fields).where(accounts.c.id == account_id)
        with self._database.read() as connection:
            return _names(connection.scalar(query) or "")

    def set_disabled(self, account_id: int, disabled: bool) -> None:
        """Disables or enables an account; the keys and sessions of a disabled one are refused."""
        self._set(account_id, "account.disabled" if disabled else "account.enabled", disabled=disabled)

    def set_password(self, account_id: int, stored: str) -> None:
        """Stores a password hash for the dashboard."""
        self._set(account_id, "password.set", password=stored)

    def _set(self, account_id: int, event: str, **values: object) -> None:
        with self._database.write() as connection:
            connection.execute(accounts.update().where(accounts.c.id == account_id).values(**values))
            note(connection, self._database.clock(), account_id, event)

    def new_key(self, account_id: int, profile: str = "contract", name: str = "") -> str:
        """Creates a key and returns it; it cannot be shown again. name: what the key is for."""
        check_profile(profile)
        if len(name) > _KEY_NAME:
            raise AccountError(f"A key's name can have at most {_KEY_NAME} characters.")
        now = self._database.clock()
        key = random_text(KEY_LENGTH)
        with self._database.write() as connection:
            connection.execute(
                api_keys.insert().values(
                    id=key[:KEY_ID_LENGTH],
                    account_id=account_id,
                    digest=digest(self._secret, key.encode()),
                    profile=profile,
                    name=name.strip(),
                    created_at=now,
                )
            )
            note(connection, now, account_id, "key.made", key[:KEY_ID_LENGTH])
        return key

    def keys(self, account_id: int) -> list[KeyInfo]:
        """Returns the account's keys, oldest first."""
        query = sa.select(api_keys).where(api_keys.c.account_id == account_id).order_by(api_keys.c.created_at)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return [
            KeyInfo(row.id, row.profile, row.created_at, row.revoked_at, row.name, row.used_at)
            for row in rows
        ]

    def revoke(self, account_id: int, key_id: str, *, after: int = 0) -> None:
        """Revokes a key, `after` milliseconds from now; never postpones an earlier revocation."""
        moment = self._database.clock() + after
        where = (api_keys.c.id == key_id, api_keys.c.account_id == account_id)
        with self._database.write() as connection:
            current = connection.execute(sa.select(api_keys.c.revoked_at).where(*where)).one_or_none()
            if current is None:
                raise AccountError(f"The account has no key {key_id}.")
            if current.revoked_at is None or current.revoked_at > moment:
                connection.execute(api_keys.update().where(*where).values(revoked_at=moment))
                note(connection, self._database.clock(), account_id, "key.revoked", key_id)

    def rotate(self, account_id: int, key_id: str, *, grace: int) -> str:
        """Returns a new key with the old one's profile and name.

        The old key works for `grace` milliseconds more.
        """
        old = [key for key in self.keys(account_id) if key.id == key_id]
        if not old:
            raise AccountError(f"The account has no key {key_id}.")
        key = self.new_key(account_id, old[0].profile, old[0].name)
        self.revoke(account_id, key_id, after=grace)
        return key

    def set_profile(self, account_id: int, key_id: str, profile: str) -> None:
        """Sets the envelope profile of a key's answers."""
        check_profile(profile)
        where = (api_keys.c.id == key_id, api_keys.c.account_id == account_id)
        with self._database.write() as connection:
            if not connection.execute(api_keys.update().where(*where).values(profile=profile)).rowcount:
                raise AccountError(f"The account has no key {key_id}.")
            note(connection, self._database.clock(), account_id, "key.profile", f"{key_id} {profile}")

    def balances_disagree(self) -> list[str]:
        """Returns the names of accounts whose balance differs from the sum of their ledger entries."""
        booked = sa.func.coalesce(sa.func.sum(ledger.c.delta), 0)
        query = (
            sa.select(accounts.c.name)
            .outerjoin(ledger)
            .group_by(accounts.c.id, accounts.c.name, accounts.c.credits)
            .having(booked != accounts.c.credits)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _book(connection: sa.Connection, account_id: int, amount: int, reason: str, now: int) -> None:
    connection.execute(
        ledger.insert().values(account_id=account_id, delta=amount, reason=reason, at=now, token=None)
    )


# Statements of every call, built once because building them costs more than running them.
_FIND_KEY = (
    sa.select(
        api_keys.c.digest,
        api_keys.c.revoked_at,
        api_keys.c.profile,
        api_keys.c.used_at,
        accounts.c.id,
        accounts.c.disabled,
        accounts.c.upload_rate,
        accounts.c.upload_burst,
        accounts.c.custom_fields,
    )
    .join(accounts)
    .where(api_keys.c.id == sa.bindparam("key"))
)
_BALANCE = sa.select(accounts.c.credits).where(accounts.c.id == sa.bindparam("account"))
