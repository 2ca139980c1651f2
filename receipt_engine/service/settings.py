"""Loads the service's configuration into one frozen object, from a TOML file, environment and command line.

Precedence, lowest first: the defaults below, `--config FILE` (flat TOML, same names), environment variables
`RECEIPT_ENGINE_<NAME>`, command-line options. An unknown name in the file is an error that suggests the
nearest known one; unknown environment variables are ignored.
"""

from __future__ import annotations

import difflib
import fcntl
import ipaddress
import math
import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

PREFIX = "RECEIPT_ENGINE_"
MIB = 1 << 20


class SettingsError(ValueError):
    """A setting is unknown or has an unusable value; the message names it."""


def _default_data_dir() -> str:
    state = os.environ.get("STATE_DIRECTORY")  # set by systemd's StateDirectory=
    if state:
        return state.split(":", maxsplit=1)[0]
    try:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise SettingsError("There is no home folder to keep data in: set data_dir (--data-dir).") from error
    return str(Path(home) / "receipt-engine")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings with their defaults. Sizes in bytes, times in seconds unless the name says otherwise."""

    data_dir: str = ""  # database, images, master keys; $STATE_DIRECTORY or ~/.local/state/receipt-engine
    database_url: str = ""  # empty: SQLite in data_dir; postgresql+psycopg://… (SQLAlchemy) for several hosts
    blobs: Literal["", "files", "database", "s3"] = ""  # empty: files with SQLite, database with PostgreSQL
    s3_bucket: str = ""  # with blobs = s3 (extra `s3`); credentials and region as boto3 finds them
    s3_prefix: str = "pictures/"  # prefix of the images' object keys in the bucket
    s3_endpoint: str = ""  # URL of an S3-compatible service; empty: Amazon S3
    master_keys: str = ""  # the keys themselves (id:base64,…), for secret stores that set the environment
    master_key_file: str = ""  # empty: systemd credential "master-keys", else data_dir/master.keys
    engine: str = "receipt_engine:Engine"  # module:callable that creates the engine in each worker
    merchants: str = ""  # table that validates merchants, built by `receipt-engine merchants import`

    host: str = "127.0.0.1"
    port: int = 8443
    certificate: str = ""  # PEM files; both, or --dev-cert, or --behind-proxy
    private_key: str = ""
    unix_socket: str = ""  # with --behind-proxy: listen here instead of host:port
    operations_host: str = "127.0.0.1"
    operations_port: int = 9464  # health, readiness, metrics; 0: any free port, -1: switched off
    dashboard: bool = True
    webhooks: bool = False  # accounts may register URLs that are notified of results
    webhook_networks: str = ""  # private networks those URLs may resolve to, e.g. 10.0.0.0/8

    workers: int = 2
    engine_threads: int = 1
    recycle_after: int = 500  # jobs after which a worker process is replaced
    worker_memory: int = 3072 * MIB
    job_seconds: float = 60.0
    lease_seconds: float = 15.0
    max_faults: int = 3  # an image that breaks its worker this often ends with code 500
    max_losses: int = 20  # the same for leases lost without evidence against the image (kill -9, power)
    drain_seconds: float = 8.0  # from SIGTERM; below the 10 s that `docker stop` waits

    max_body: int = 21 * MIB
    max_picture: int = 20 * MIB
    max_pixels: int = 100_000_000
    disk_reserve: int = 1024 * MIB  # free disk space below which uploads are refused; 0: none
    memory_budget: int = 512 * MIB  # request bodies being received or stored, over all requests
    body_seconds: float = 120.0  # to receive a whole body
    idle_seconds: float = 15.0  # limit for the TLS handshake, a request head, a gap in a body, and keep-alive
    max_connections: int = 1000
    max_connections_address: int = 100  # from one address (IPv6: one /64); not behind a proxy; 0: no limit
    max_queue: int = 5000  # jobs waiting or running, above which uploads are refused
    max_queue_account: int = 2000  # the same for one account

    upload_rate: float = 5.0  # per second and account, unless the account has its own limit
    upload_burst: float = 100.0
    read_rate: float = 50.0
    read_burst: float = 500.0

    retention_days: float = 90.0
    audit_days: float = 400.0  # retention of the audit events of accounts, keys and logins
    sweep_seconds: float = 300.0
    log_level: str = "INFO"

    @property
    def data(self) -> Path:
        """The data directory as an absolute path."""
        return Path(self.data_dir or _default_data_dir()).expanduser().absolute()

    @property
    def url(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.data / 'service.db'}"

    @property
    def embedded(self) -> bool:
        """True with SQLite, which means one machine and one server process."""
        return self.url.startswith("sqlite")

    @property
    def audit_ms(self) -> int:
        """Retention of audit events in milliseconds."""
        return int(self.audit_days * 86_400_000)

    @property
    def blobs_in_files(self) -> bool:
        """True when images are stored as files in data_dir/pictures."""
        return self.blobs == "files" or (not self.blobs and self.embedded)


_KNOWN = {field.name: field for field in fields(Settings)}


def _convert(name: str, value: Any, origin: str) -> Any:
    field = _KNOWN.get(name)
    if field is None:
        near = difflib.get_close_matches(name, _KNOWN, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise SettingsError(f"{origin}: there is no setting {name}.{hint}")
    kind: type[Any] = type(field.default)
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _boolean(str(value))
        return kind(value)
    except ValueError as error:
        raise SettingsError(f"{origin}: {name} takes a {kind.__name__}, not {value!r}.") from error


def _boolean(text: str) -> bool:
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in known:
        raise ValueError(text)
    return known[text.lower()]


def load_settings(
    config: str | os.PathLike[str] | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Returns the settings from file, environment and overrides.

    overrides: from the command line; None values count as not given. Raises SettingsError for unknown
    names, wrong types and an unreadable file.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    if config:
        try:
            table = tomllib.loads(Path(config).read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise SettingsError(f"The configuration {config} cannot be read: {error}") from error
        values |= {name: _convert(name, value, str(config)) for name, value in table.items()}
    for key, text in environment.items():
        name = key.removeprefix(PREFIX).lower()
        if key.startswith(PREFIX) and name in _KNOWN:
            values[name] = _convert(name, text, key)
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    values |= {name: _convert(name, value, "command line") for name, value in given.items()}
    settings = replace(Settings(), **values)
    _check(settings)
    return settings


#: Least and greatest value of the numbers that have other ones than 0 and infinity.
_BOUNDS = {"port": (0, 65535), "operations_port": (-1, 65535), "engine_threads": (1, math.inf)}


def _check(settings: Settings) -> None:
    for name in _KNOWN:
        value = getattr(settings, name)
        least, most = _BOUNDS.get(name, (0, math.inf))
        if isinstance(value, int | float) and not least <= value <= most:  # nor is NaN
            limit = f"from {least} to {most}" if most < math.inf else f"of {least} or more"
            raise SettingsError(f"{name} is {value}; use a number {limit}.")
    if settings.blobs not in {"", "files", "database", "s3"}:
        raise SettingsError(f"blobs must be files, database or s3, not {settings.blobs!r}.")
    if settings.blobs == "s3" and not settings.s3_bucket:
        raise SettingsError("With blobs = s3, set s3_bucket to the name of the bucket.")
    try:
        for network in filter(None, settings.webhook_networks.split(",")):
            ipaddress.ip_network(network.strip())
    except ValueError as error:
        raise SettingsError(f"webhook_networks takes networks such as 10.0.0.0/8: {error}") from error


def to_environment(settings: Settings) -> dict[str, str]:
    """Returns environment variables that give a child process the same settings."""
    resolved = replace(settings, data_dir=str(settings.data))
    return {PREFIX + name.upper(): str(getattr(resolved, name)) for name in _KNOWN}


@contextmanager
def sole_server(settings: Settings) -> Iterator[None]:
    """Locks the data directory for this server process, with SQLite only.

    Raises SettingsError when another server holds the lock.
    """
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(settings.data / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if settings.embedded:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise SettingsError(f"Another server uses {settings.data}; stop it first.") from error
        yield
    finally:
        os.close(descriptor)
