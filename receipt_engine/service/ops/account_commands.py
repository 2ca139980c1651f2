"""Runs `receipt-engine account …`. New keys and passwords are printed once and stored only as digests."""

from __future__ import annotations

import argparse
import datetime
import getpass
import sys

from receipt_engine import ExtractOptions
from receipt_engine.service.accounts.audit import events
from receipt_engine.service.accounts.passwords import hash_password
from receipt_engine.service.accounts.sessions import Sessions
from receipt_engine.service.accounts.store import (
    Account,
    AccountError,
    Accounts,
    KeyInfo,
    check_profile,
    random_text,
)
from receipt_engine.service.assembly import Parts, open_parts
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.erasure import erase_account, erase_upload

_HOUR = 3_600_000
_CLASSIC_HINT = (
    'A client that waits for the status "pending" and "done" needs a key with another envelope:\n'
    "  receipt-engine account new-key {name} --profile classic"
)


def run(settings: Settings, arguments: argparse.Namespace, action: str) -> int:
    """Runs one action and returns the exit status; raises AccountError or PasswordError."""
    parts = open_parts(settings, pool=2)
    try:
        if action == "password":
            return _password(parts.accounts, Sessions(parts.database, parts.secrets.login), arguments)
        if action in _WITH_STORES:
            return _WITH_STORES[action](parts, arguments)
        return int(_ACTIONS[action](parts.accounts, arguments))
    finally:
        parts.close()


def _show_key(key: str) -> None:
    print("API key (shown this once):")
    print(key)


def _create(accounts: Accounts, arguments: argparse.Namespace) -> int:
    check_profile(arguments.profile)
    account_id = accounts.create(arguments.name, arguments.credits)
    print(f"Account {arguments.name} has {arguments.credits} credits.")
    if arguments.profile == "contract":
        print(_CLASSIC_HINT.format(name=arguments.name))
    _show_key(accounts.new_key(account_id, arguments.profile))
    return 0


def _list_all(accounts: Accounts, _: argparse.Namespace) -> int:
    for account in accounts.all():
        state = " (disabled)" if account.disabled else ""
        print(f"{account.name}: {account.credits} credits{state}")
    return 0


def _credits(accounts: Accounts, arguments: argparse.Namespace) -> int:
    account = accounts.find(arguments.name)
    balance = account.credits
    if arguments.add:
        balance = accounts.add_credits(account.id, arguments.add, arguments.reason)
    print(balance)
    return 0


def _password(accounts: Accounts, sessions: Sessions, arguments: argparse.Namespace) -> int:
    account = accounts.find(arguments.name)
    if arguments.generate:
        password = random_text(20)
        print("Password (shown this once):")
        print(password)
    else:
        password = (
            getpass.getpass("New password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
        )
    accounts.set_password(account.id, hash_password(password))
    sessions.logout_everywhere(account.id)
    return 0


def _limits(accounts: Accounts, arguments: argparse.Namespace) -> int:
    accounts.set_limits(accounts.find(arguments.name).id, arguments.rate, arguments.burst)
    said = [
        f"{value:g} {what}"
        for value, what in ((arguments.rate, "a second"), (arguments.burst, "at once"))
        if value
    ]
    print(
        f"{arguments.name} may upload {' and '.join(said) or 'as much as the service allows every account'}."
    )
    return 0


def _custom_fields(accounts: Accounts, arguments: argparse.Namespace) -> int:
    ExtractOptions(custom_fields=tuple(arguments.fields))  # raises OptionError for unknown names
    accounts.set_custom_fields(accounts.find(arguments.name).id, tuple(arguments.fields))
    print(f"Results of {arguments.name} contain: {', '.join(arguments.fields) or 'no custom fields'}.")
    return 0


def _disable(accounts: Accounts, arguments: argparse.Namespace) -> int:
    accounts.set_disabled(accounts.find(arguments.name).id, True)
    print(f"Keys and sessions of {arguments.name} are now refused.")
    return 0


def _enable(accounts: Accounts, arguments: argparse.Namespace) -> int:
    accounts.set_disabled(accounts.find(arguments.name).id, False)
    print(f"Keys and sessions of {arguments.name} are accepted again.")
    return 0


def _delete(parts: Parts, arguments: argparse.Namespace) -> int:
    account = parts.accounts.find(arguments.name)
    if not arguments.yes:
        raise AccountError(
            f"This deletes {account.name} with its uploads, results, keys, credits and events permanently. "
            "Add --yes to do it."
        )
    parts.accounts.set_disabled(account.id, True)
    erased = erase_account(parts.database, parts.blobs, account.id)
    print(
        f"Deleted the account with {erased.uploads} uploads and {erased.pictures} pictures; nothing is left."
    )
    print("Earlier backups still contain it until they are deleted.")
    return 0


def _delete_upload(parts: Parts, arguments: argparse.Namespace) -> int:
    account = parts.accounts.find(arguments.name)
    erased = erase_upload(parts.database, parts.blobs, account.id, arguments.token)
    if erased is None:
        raise AccountError(f"{account.name} has no upload {arguments.token}.")
    kept = "" if erased.pictures else " Picture and result are kept for a later upload of the same picture."
    print(f"Deleted the upload; nothing of it is left.{kept}")
    return 0


def _events(parts: Parts, arguments: argparse.Namespace) -> int:
    for event in events(parts.database, parts.accounts.find(arguments.name).id):
        print(f"{_moment(event.at)}  {event.name}  {event.detail}  from {event.origin}".replace("    ", "  "))
    return 0


def _keys(accounts: Accounts, arguments: argparse.Namespace) -> int:
    account: Account = accounts.find(arguments.name)
    for key in accounts.keys(account.id):
        used = f"used {_moment(key.used_at)}" if key.used_at else "never used"
        name = f"  {key.name}" if key.name else ""
        print(f"{key.id}…  {key.profile}  created {_moment(key.created_at)}  {used}  {_state(key)}{name}")
    return 0


def _new_key(accounts: Accounts, arguments: argparse.Namespace) -> int:
    key = accounts.new_key(accounts.find(arguments.name).id, arguments.profile, arguments.label)
    _show_key(key)
    return 0


def _rotate_key(accounts: Accounts, arguments: argparse.Namespace) -> int:
    grace = int(arguments.grace_hours * _HOUR)
    _show_key(accounts.rotate(accounts.find(arguments.name).id, arguments.key[:16], grace=grace))
    return 0


def _revoke_key(accounts: Accounts, arguments: argparse.Namespace) -> int:
    accounts.revoke(accounts.find(arguments.name).id, arguments.key[:16])
    print(f"{arguments.key[:16]}… is refused from now on.")
    return 0


def _key_profile(accounts: Accounts, arguments: argparse.Namespace) -> int:
    accounts.set_profile(accounts.find(arguments.name).id, arguments.key[:16], arguments.profile)
    print(f"Answers to {arguments.key[:16]}… have the envelope {arguments.profile} from now on.")
    return 0


def _state(key: KeyInfo) -> str:
    return "active" if key.revoked_at is None else f"refused from {_moment(key.revoked_at)}"


def _moment(milliseconds: int) -> str:
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC).isoformat(timespec="seconds")


_WITH_STORES = {"delete": _delete, "delete_upload": _delete_upload, "events": _events}
_ACTIONS = {
    "create": _create,
    "list_all": _list_all,
    "credits": _credits,
    "limits": _limits,
    "custom_fields": _custom_fields,
    "disable": _disable,
    "enable": _enable,
    "keys": _keys,
    "new_key": _new_key,
    "rotate_key": _rotate_key,
    "revoke_key": _revoke_key,
    "key_profile": _key_profile,
}
