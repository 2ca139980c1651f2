"""The commands: accounts, backup and restore, doctor, settings."""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from receipt_engine.service.__main__ import main
from receipt_engine.service.accounts.audit import events
from receipt_engine.service.assembly import open_parts
from receipt_engine.service.commands import add_commands
from receipt_engine.service.http.tls import development_certificate
from receipt_engine.service.settings import Settings, SettingsError, load_settings, to_environment
from tests.service.conftest import Service, base_settings
from tests.service.pictures import png
from tests.service.rules import rule


@pytest.fixture
def settings(folder: Path) -> Settings:
    """SQLite only."""
    return base_settings(folder)


@pytest.fixture
def run(settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command on a fresh store; gives (exit status, output lines)."""
    monkeypatch.setenv("RECEIPT_ENGINE_DATA_DIR", settings.data_dir)
    monkeypatch.setenv("RECEIPT_ENGINE_ENGINE", settings.engine)

    def command(*arguments: str) -> tuple[int, list[str]]:
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            status = main(list(arguments))
        finally:  # serve sends every logger to standard error
            root.handlers[:] = handlers
            root.setLevel(level)
        captured = capsys.readouterr()
        return status, (captured.out + captured.err).splitlines()

    return command


@rule("key-shown-once", "key-several")
def test_accounts_from_the_command_line(run: Any) -> None:
    status, lines = run("account", "create", "shop", "--credits", "7")
    key = lines[-1]
    assert status == 0 and len(key) == 64
    assert any("new-key shop --profile classic" in line for line in lines)
    assert run("account", "list") == (0, ["shop: 7 credits"])
    assert run("account", "credits", "shop", "--add", "3") == (0, ["10"])
    _, lines = run("account", "keys", "shop")
    assert len(lines) == 1 and key[:16] in lines[0] and key[16:] not in lines[0]
    rotated = run("account", "rotate-key", "shop", key[:16], "--grace-hours", "0")[1][-1]
    assert len(rotated) == 64 and len(run("account", "new-key", "shop", "--profile", "classic")[1][-1]) == 64
    _, lines = run("account", "keys", "shop")
    assert len(lines) == 3 and "refused from" in lines[0]
    for command in (
        ("key-profile", "shop", rotated[:16], "classic"),
        ("revoke-key", "shop", rotated[:16]),
        ("limits", "shop", "--rate", "2", "--burst", "9"),
        ("custom-fields", "shop", "Country"),
        ("disable", "shop"),
        ("enable", "shop"),
    ):
        status, lines = run("account", *command)
        assert status == 0 and len(lines) == 1
    assert len(run("account", "password", "shop", "--generate")[1][-1]) == 20
    _, lines = run("account", "events", "shop")
    assert "account.made" in lines[0] and "password.set" in lines[-1] and "from command line" in lines[-1]


def test_every_flag_says_what_it_does() -> None:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    left = [parser]
    while left:
        current = left.pop()
        for action in current._actions:
            if isinstance(action, argparse._SubParsersAction):
                left += action.choices.values()
            else:
                assert action.help, f"{current.prog} {action.option_strings or action.dest}"


def test_doctor_checks_what_serve_would_run(run: Any, folder: Path) -> None:
    status, lines = run("doctor", "--dev-cert", "--port", "9443", "--workers", "1")
    assert status == 0 and any("created at the first start" in line for line in lines)
    certificate, key = development_certificate(folder, "localhost")
    good = ("doctor", "--certificate", str(certificate), "--private-key", str(key))
    assert any("valid for" in line for line in run(*good)[1])
    status, lines = run("doctor", "--certificate", str(certificate), "--private-key", str(certificate))
    assert status == 1 and any("cannot be used together" in line for line in lines)


def test_deleting_from_the_command_line(service: Service, run: Any) -> None:
    token, other = service.upload(png())["token"], service.upload(png())["token"]
    service.work()
    name = service.parts.accounts.all()[0].name
    status, lines = run("account", "delete-upload", name, token)
    assert status == 0 and "nothing of it is left" in lines[0]
    assert run("account", "delete-upload", name, token)[0] == 1
    status, lines = run("account", "delete", name)
    assert status == 1 and "--yes" in lines[0]
    assert service.result(other)["code"] == 202
    status, lines = run("account", "delete", name, "--yes")
    assert status == 0 and "1 uploads and 1 pictures" in lines[0]
    assert service.result(other)["code"] == 400 and service.parts.accounts.all() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("account", "credits", "nobody"), "no account named nobody"),
        (("account", "create", " "), "needs a name"),
        (("account", "create", "a", "--credits", "-1"), "below 0"),
        (("account", "create", "a", "--profile", "odd"), "profile"),
        (("serve",), "HTTPS only"),
        (("worker",), "PostgreSQL"),
        (("restore", "/nonexistent"), "not a backup"),
        (("account", "list", "--config", "/nonexistent.toml"), "cannot be read"),
    ],
)
def test_wrong_commands_say_what_to_do(run: Any, arguments: tuple[str, ...], message: str) -> None:
    status, lines = run(*arguments)
    assert status == 1 and len(lines) == 1 and message in lines[0]


@rule("deleted-after-90-days")
def test_backup_and_restore(
    service: Service, run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = service.upload(png())["token"]
    service.work()
    pending = service.upload(png())["token"]
    copy = folder / "copy"
    assert run("backup", str(copy))[0] == 0
    assert run("backup", str(copy))[0] == 1
    assert service.upload(png())["code"] == 200
    assert run("restore", str(copy))[0] == 1
    other = folder / "other"
    other.mkdir(mode=0o700)
    (other / "master.keys").write_bytes((service.settings.data / "master.keys").read_bytes())
    (other / "master.keys").chmod(0o600)
    monkeypatch.setenv("RECEIPT_ENGINE_DATA_DIR", str(other))
    assert run("restore", str(copy))[0] == 0
    assert run("doctor")[0] == 0
    from receipt_engine.service.assembly import open_parts
    from receipt_engine.service.jobs.worker import Worker

    parts = open_parts(load_settings())
    try:
        assert parts.jobs.outcome(service.account_id, done).code == 202
        assert Worker(parts, service.engine, "w").take()
        assert parts.jobs.outcome(service.account_id, pending).code == 202
        assert parts.accounts.credits(service.account_id) == 8
    finally:
        parts.close()


def test_doctor_finds_what_is_wrong(service: Service, run: Any) -> None:
    service.upload(png())
    status, lines = run("doctor")
    assert status == 0 and all(line.startswith("ok") for line in lines), lines[-3:]
    next((service.settings.data / "pictures").glob("*/*")).write_bytes(b"damaged")
    with service.parts.database.write() as connection:
        connection.exec_driver_sql("UPDATE accounts SET credits = credits + 1")
    service.settings.data.chmod(0o755)
    status, lines = run("doctor")
    failed = [line for line in lines if line.startswith("FAIL")]
    assert status == 1 and len(failed) == 3
    status, (line,) = run("sweep")
    assert (status, line.partition(": ")[2]) == (0, "0 tokens, 0 pictures, 0 leftovers.")


def test_a_sweep_by_hand_keeps_the_audit_trail_as_long_as_is_set(
    run: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("account", "create", "shop")
    account = 1

    def trail() -> list[str]:
        parts = open_parts(settings)
        try:
            return [event.name for event in events(parts.database, account)]
        finally:
            parts.close()

    assert trail() == ["account.made", "key.made"]
    assert run("sweep")[0] == 0 and trail()
    monkeypatch.setenv("RECEIPT_ENGINE_AUDIT_DAYS", "0")
    assert run("sweep")[0] == 0 and not trail()


def test_settings_from_file_environment_and_command_line(folder: Path) -> None:
    config = folder / "service.toml"
    config.write_text('port = 1\nhost = "a"\nworkers = 3\ndashboard = false\n', encoding="utf-8")
    environment = {"RECEIPT_ENGINE_PORT": "2", "RECEIPT_ENGINE_UNRELATED": "x", "OTHER": "y"}
    loaded = load_settings(config, {"workers": 4, "host": None}, environment)
    assert (loaded.port, loaded.host, loaded.workers, loaded.dashboard) == (2, "a", 4, False)
    assert load_settings(None, None, to_environment(loaded)) == load_settings(
        config, {"workers": 4, "data_dir": str(loaded.data)}, environment
    )
    config.write_text("prot = 1\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="Did you mean port"):
        load_settings(config, {}, {})
    for wrong in (
        {"RECEIPT_ENGINE_PORT": "x"},
        {"RECEIPT_ENGINE_DASHBOARD": "x"},
        {"RECEIPT_ENGINE_BLOBS": "x"},
        {"RECEIPT_ENGINE_PORT": "65536"},
        {"RECEIPT_ENGINE_OPERATIONS_PORT": "-2"},
        {"RECEIPT_ENGINE_WORKERS": "-1"},
        {"RECEIPT_ENGINE_ENGINE_THREADS": "0"},
        {"RECEIPT_ENGINE_RETENTION_DAYS": "-90"},
        {"RECEIPT_ENGINE_LEASE_SECONDS": "nan"},
    ):
        with pytest.raises(SettingsError):
            load_settings(None, {}, wrong)


def test_adding_the_commands_costs_no_import() -> None:
    code = (
        "import argparse, sys\nfrom receipt_engine.service.commands import add_commands\n"
        "add_commands(argparse.ArgumentParser().add_subparsers())\n"
        "heavy = {'starlette', 'sqlalchemy', 'uvicorn', 'cryptography', 'jinja2'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_without_the_extra_the_commands_say_how_to_get_it() -> None:
    code = (
        "import importlib.util, sys\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name: None if name in ('uvicorn', 'jinja2') else real(name)\n"
        "from receipt_engine.cli import main\n"
        "sys.exit(main(['serve', '--dev-cert']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "uvicorn, jinja2" in done.stderr and "pip install 'receipt-engine[service]'" in done.stderr


def test_without_a_home_folder_the_place_for_data_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    for name in ("XDG_STATE_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="--data-dir"):
        assert Settings().data
