"""Defines the service's commands: serve, worker, account, keys, backup, restore, sweep, doctor.

Imports only the standard library; each command imports its own modules when it runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from receipt_engine.service.settings import Settings

Run = Callable[["Settings", argparse.Namespace], int]

#: Packages that the extra `service` installs and every command needs.
_PACKAGES = ("sqlalchemy", "starlette", "uvicorn", "multipart", "cryptography", "jinja2")


def add_commands(subparsers: Any) -> None:
    """Adds the service's commands to argparse's `subparsers`.

    Each command sets `run`, a function from the parsed arguments to the exit status.
    """
    _add_serve(subparsers)
    _add_account(subparsers)
    worker = _command(subparsers, "worker", _worker, "run only worker processes, on additional hosts")
    worker.add_argument("--workers", type=int, help="number of worker processes")
    worker.add_argument(
        "--merchants", metavar="TABLE.sqlite", help="table of known merchants to check against"
    )
    _add_operations(worker)
    keys = subparsers.add_parser("keys", help="manage the master keys of the encryption at rest")
    actions = keys.add_subparsers(dest="action", required=True, metavar="ACTION")
    _command(actions, "rotate", _keys_rotate, "create a new active master key; running processes pick it up")
    _command(actions, "add", _keys_add, "create a master key that is not active yet, for several hosts")
    activate = _command(actions, "activate", _keys_activate, "make another key of the file the active one")
    activate.add_argument("key", help="id of the key, as shown by keys list")
    _command(actions, "rewrap", _keys_rewrap, "rewrap every data key with the active key; may be repeated")
    _command(actions, "list", _keys_list, "list the ids of the loaded keys and whether they are in use")
    _command(actions, "drop-old", _keys_drop, "remove keys that are no longer in use from the key file")
    backup = _command(
        subparsers, "backup", _backup, "copy the database and the pictures while the service runs"
    )
    backup.add_argument("folder", help="a new folder to write to")
    restore = _command(subparsers, "restore", _restore, "restore a backup into an empty data directory")
    restore.add_argument("folder", help="a folder written by backup")
    _command(subparsers, "sweep", _sweep, "delete everything that is past its retention now")
    doctor = _command(
        subparsers, "doctor", _doctor, "check the configuration, database, keys, pictures and engine"
    )
    _add_serving(doctor)


def _command(subparsers: Any, name: str, run: Run, help_: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=help_, description=help_)
    parser.add_argument("--config", help="TOML file with settings")
    parser.add_argument("--data-dir", dest="data_dir", help="folder of the database, pictures and keys")
    parser.add_argument(
        "--database-url", dest="database_url", help="postgresql+psycopg://…, for several hosts"
    )
    parser.set_defaults(run=lambda arguments: _with_settings(run, arguments))
    return parser


def _with_settings(run: Run, arguments: argparse.Namespace) -> int:
    """Loads the settings and runs the command; prints known errors as one line and returns 1."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        print(f"The service needs more packages ({', '.join(missing)}). Run:", file=sys.stderr)
        print("    pip install 'receipt-engine[service]'", file=sys.stderr)
        return 1
    from receipt_engine import MerchantTableError, OptionError
    from receipt_engine.service.accounts.passwords import PasswordError
    from receipt_engine.service.accounts.store import AccountError
    from receipt_engine.service.ops.backup import BackupError
    from receipt_engine.service.settings import SettingsError, load_settings
    from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed
    from receipt_engine.service.storage.erasure import NotErased
    from receipt_engine.service.storage.vault import VaultError

    known = (
        *(SettingsError, VaultError, AccountError, PasswordError, BackupError),
        *(OptionError, MerchantTableError, NotErased),
    )
    names = (
        "data_dir",
        "database_url",
        "host",
        "port",
        "workers",
        "certificate",
        "private_key",
        "unix_socket",
        "merchants",
        "operations_host",
        "operations_port",
    )
    try:
        overrides = {name: getattr(arguments, name, None) for name in names}
        return run(load_settings(arguments.config, overrides), arguments)
    except known as error:
        print(error, file=sys.stderr)
    except (DatabaseDown, DatabaseQueryFailed) as error:
        print(f"The database cannot be used: {error}", file=sys.stderr)
    return 1


def _add_serve(subparsers: Any) -> None:
    _add_serving(_command(subparsers, "serve", _serve, "run the HTTPS service with its workers"))


def _add_operations(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--operations-host", help="address for health, readiness and metrics (127.0.0.1)")
    parser.add_argument(
        "--operations-port", type=int, help="port for health, readiness and metrics (9464); -1: none"
    )


def _add_serving(serve: argparse.ArgumentParser) -> None:
    """Adds the flags of `serve`. `doctor` takes the same ones, to check the same configuration."""
    serve.add_argument("--host", help="address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to listen on (8443)")
    _add_operations(serve)
    serve.add_argument("--workers", type=int, help="number of worker processes on this host; 0: none")
    serve.add_argument("--certificate", help="PEM file of the certificate")
    serve.add_argument("--private-key", dest="private_key", help="PEM file of the private key")
    serve.add_argument("--unix-socket", dest="unix_socket", help="socket to listen on, with --behind-proxy")
    serve.add_argument(
        "--merchants", metavar="TABLE.sqlite", help="table of known merchants to check against"
    )
    serve.add_argument("--dev-cert", action="store_true", help="create and use a self-signed certificate")
    serve.add_argument("--behind-proxy", action="store_true", help="a proxy on this machine terminates TLS")


def _add_account(subparsers: Any) -> None:
    account = subparsers.add_parser("account", help="manage accounts, their keys and credits")
    actions = account.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = _account(actions, "create", "create", "create an account with its first key")
    create.add_argument("--credits", type=int, default=100, help="initial credits (100)")
    create.add_argument("--profile", default="contract", help="envelope: contract or classic")
    _command(actions, "list", _account_list, "list every account with its credits")
    credits = _account(actions, "credits", "credits", "show an account's credits, or add some")
    credits.add_argument("--add", type=int, default=0, help="credits to add; may be negative")
    credits.add_argument("--reason", default="administrator", help="reason to record in the ledger")
    password = _account(
        actions, "password", "password", "set the dashboard password (read from the terminal)"
    )
    password.add_argument("--generate", action="store_true", help="generate a password and show it once")
    limits = _account(actions, "limits", "limits", "set an account's upload limits")
    limits.add_argument(
        "--rate", type=float, help="uploads per second; if not given, the service's own limit"
    )
    limits.add_argument("--burst", type=float, help="uploads at once; if not given, the service's own limit")
    fields = _account(
        actions, "custom-fields", "custom_fields", "choose the customFields of an account's results"
    )
    fields.add_argument(
        "fields", nargs="*", help="for example Country VATNumber; give none to switch them off"
    )
    delete = _account(actions, "delete", "delete", "delete an account with everything that belongs to it")
    delete.add_argument("--yes", action="store_true", help="confirm; without this nothing is deleted")
    upload = _account(actions, "delete-upload", "delete_upload", "delete one upload with its result")
    upload.add_argument("token", help="token that the upload returned")
    _account(actions, "events", "events", "list what was done to an account and its keys, and its logins")
    _account(actions, "disable", "disable", "refuse an account's keys and sessions")
    _account(actions, "enable", "enable", "accept an account's keys and sessions again")
    _account(actions, "keys", "keys", "list an account's keys")
    new = _account(actions, "new-key", "new_key", "create another key and show it once")
    new.add_argument("--profile", default="contract", help="envelope: contract or classic")
    new.add_argument("--label", default="", help="what the key is for")
    rotate = _account(
        actions, "rotate-key", "rotate_key", "replace a key; the old one keeps working for a while"
    )
    rotate.add_argument("key", help="the first 16 characters of the key")
    rotate.add_argument(
        "--grace-hours", type=float, default=24.0, help="hours that the old key keeps working (24)"
    )
    revoke = _account(actions, "revoke-key", "revoke_key", "revoke a key")
    revoke.add_argument("key", help="the first 16 characters of the key")
    profile = _account(actions, "key-profile", "key_profile", "change a key's envelope")
    profile.add_argument("key", help="the first 16 characters of the key")
    profile.add_argument("profile", help="envelope: contract or classic")


def _account(actions: Any, name: str, function: str, help_: str) -> argparse.ArgumentParser:
    def run(settings: Settings, arguments: argparse.Namespace) -> int:
        from receipt_engine.service.ops import account_commands

        return account_commands.run(settings, arguments, function)

    parser = _command(actions, name, run, help_)
    parser.add_argument("name", help="name of the account")
    return parser


def _account_list(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops import account_commands

    return account_commands.run(settings, arguments, "list_all")


def _serve(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service import logs
    from receipt_engine.service.server import serve

    logs.configure(settings.log_level)
    return serve(settings, dev_cert=arguments.dev_cert, behind_proxy=arguments.behind_proxy)


def _worker(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service import logs
    from receipt_engine.service.server import serve_workers

    logs.configure(settings.log_level)
    return serve_workers(settings)


def _keys_rotate(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.key_commands import rotate

    return rotate(settings)


def _keys_add(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.key_commands import add

    return add(settings)


def _keys_activate(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.key_commands import activate

    return activate(settings, arguments.key)


def _keys_rewrap(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.key_commands import rewrap_all

    return rewrap_all(settings)


def _keys_list(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.key_commands import list_keys

    return list_keys(settings)


def _keys_drop(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.key_commands import drop_old

    return drop_old(settings)


def _backup(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.backup import backup

    print(backup(settings, arguments.folder))
    return 0


def _restore(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.backup import restore

    print(restore(settings, arguments.folder))
    return 0


def _sweep(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.assembly import open_parts
    from receipt_engine.service.storage.retention import sweep

    parts = open_parts(settings)
    swept = sweep(parts.database, parts.blobs, audit_ms=settings.audit_ms)
    parts.close()
    print(f"Deleted: {swept.tokens} tokens, {swept.pictures} pictures, {swept.orphans} leftovers.")
    return 0


def _doctor(settings: Settings, arguments: argparse.Namespace) -> int:
    from receipt_engine.service.ops.doctor import examine

    return examine(settings, dev_cert=arguments.dev_cert, behind_proxy=arguments.behind_proxy)
