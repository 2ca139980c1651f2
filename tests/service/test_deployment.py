"""The container's recipe and the systemd unit, as far as they can be checked without running them."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from receipt_engine.service.commands import add_commands
from receipt_engine.service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "docs" / "service"
UNIT = SERVICE / "receipt-engine.service"


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines)]


def test_the_container_runs_without_privileges_and_tells_its_health() -> None:
    names = [name for name, _ in instructions()]
    last = dict(instructions())
    assert re.fullmatch(r"\d+:\d+", last["USER"]) and not last["USER"].startswith("0")
    assert names.index("USER") < names.index("ENTRYPOINT") and "ADD" not in names
    assert "/health" in last["HEALTHCHECK"] and str(Settings().operations_port) in last["HEALTHCHECK"]
    assert last["EXPOSE"].split() == [str(Settings().port), str(Settings().operations_port)]
    assert (
        "RECEIPT_ENGINE_OPERATIONS_HOST=0.0.0.0" in last["ENV"]
        and last["VOLUME"] == "/var/lib/receipt-engine"
    )
    assert "RECEIPT_ENGINE_DATA_DIR=/var/lib/receipt-engine" in last["ENV"]


def test_the_containers_base_is_pinned() -> None:
    base = dict(instructions())["ARG"]
    assert re.fullmatch(r"BASE=python:3\.\d+\.\d+-slim-[a-z]+", base)
    assert [rest.split()[0] for name, rest in instructions() if name == "FROM"] == ["${BASE}"] * 2


def test_what_the_container_copies_is_there() -> None:
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            assert all((ROOT / source).exists() for source in rest.split()[:-1]), rest


def test_the_manifests_are_of_their_schema() -> None:
    """Kubernetes' own, as strict as its server: unknown fields are errors."""
    documents = list(yaml.safe_load_all((SERVICE / "kubernetes.yaml").read_text(encoding="utf-8")))
    assert [document["kind"] for document in documents].count("Deployment") == 2
    for document in documents:
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
    for document in documents:
        if document["kind"] == "Deployment":
            pod = document["spec"]["template"]
            assert document["spec"]["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
            _container_is_right(pod["spec"]["containers"][0])
            assert pod["spec"]["terminationGracePeriodSeconds"] > Settings().drain_seconds


def _container_is_right(container: dict[str, Any]) -> None:
    """Its command, settings and ports exist."""
    _command_is_right(container["args"])
    names = {setting["name"].removeprefix("RECEIPT_ENGINE_").lower() for setting in container["env"]}
    assert names <= {field.name for field in fields(Settings)}
    ports = {port["containerPort"] for port in container["ports"]}
    assert ports <= {Settings().port, Settings().operations_port}


def _command_is_right(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    assert parser.parse_args(arguments).run


def test_the_compose_file_names_what_is_there() -> None:
    """By hand: the services it depends on, their settings, commands, secrets and volumes."""
    document = yaml.safe_load((SERVICE / "compose.yaml").read_text(encoding="utf-8"))
    services = document["services"]
    assert len(services) == 4 and set(document) <= {"services", "secrets", "volumes", "x-receipts"}
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        assert set(service.get("secrets", ())) <= set(document["secrets"]), name
        if name != "database":
            settings = {key.removeprefix("RECEIPT_ENGINE_").lower() for key in service["environment"]}
            assert settings <= {field.name for field in fields(Settings)}, name
            _command_is_right(service["command"])
            assert service["read_only"] and service["cap_drop"] == ["ALL"], name
    assert "healthcheck" in services["database"]
    assert [service["command"][0] for service in services.values() if "command" in service] == [
        *("serve", "worker", "worker"),
    ]


@pytest.mark.needs("systemd-analyze")
def test_the_unit_is_understood(tmp_path: Path) -> None:
    unit = UNIT.read_text(encoding="utf-8").replace("/opt/receipt-engine/bin/receipt-engine", "/bin/true")
    (tmp_path / UNIT.name).write_text(unit, encoding="utf-8")
    program = shutil.which("systemd-analyze")
    assert program
    done = subprocess.run(
        [program, "verify", str(tmp_path / UNIT.name)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and UNIT.name not in done.stderr, done.stderr
