"""All development tasks: `nox -l` lists them, `nox -s NAME` runs one in its own virtual environment, and
`nox --no-venv -s NAME` runs it in the current one, as `.ci/run` does.

    nox -s style types                    takes a few seconds
    nox -s tests -- tests/unit/stages     runs a part of the tests
    nox -s docs -- --serve                shows the documentation while writing it
"""

from __future__ import annotations

from pathlib import Path

import nox

ROOT = Path(__file__).parent
DATA = ROOT.parent / "shared" / "data"

nox.needs_version = ">=2024.4"
nox.options.sessions = ["style", "types", "docs", "tests"]
nox.options.reuse_existing_virtualenvs = True


def _install(session: nox.Session, extras: str) -> None:
    """Installs the package with extras, unless the session runs without a virtual environment."""
    if session.venv_backend != "none":
        session.install("--quiet", "--editable", f".[{extras}]")


@nox.session
def style(session: nox.Session) -> None:
    """Check lint and formatting, changing nothing."""
    _install(session, "dev")
    session.run("ruff", "check", ".", external=True)
    session.run("ruff", "format", "--check", ".", external=True)


@nox.session
def types(session: nox.Session) -> None:
    """Run mypy in strict mode."""
    _install(session, "dev,service,service-dev")
    session.run("mypy", external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into build/site, strictly and offline; `-- --serve` serves it instead."""
    _install(session, "docs")
    serve = "--serve" in session.posargs
    command = ["serve"] if serve else ["build", "--quiet", "--strict", "--site-dir", str(ROOT / "build/site")]
    session.run("python", "-m", "mkdocs", *command, env={"NO_MKDOCS_2_WARNING": "1"}, external=True)
    if not serve:
        session.run("python", "-m", "scripts.check_site", "build/site", external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Run all tests, or those named after `--`."""
    _install(session, "dev,docs,service,service-dev")
    session.run("python", "-m", "pytest", "-rs", *session.posargs, external=True)


@nox.session
def readme(session: nox.Session) -> None:
    """Run the README's first commands verbatim; the first of them installs the package."""
    session.run("python", "scripts/run_readme.py", external=True)


@nox.session
def distributions(session: nox.Session) -> None:
    """Build sdist and wheel, install the wheel and extract with it, run tests of the unpacked sdist."""
    _install(session, "dev,docs")
    session.run("python", "-m", "scripts.check_distributions", external=True)


@nox.session
def accuracy(session: nox.Session) -> None:
    """Check that accuracy has not dropped, on labelled receipts beside the checkout (or `-- --data DIR`)."""
    _install(session, "dev")
    given = session.posargs or ["--data", str(DATA)]
    session.run(
        "python", "-m", "benchmarks", "gate", *given, "--baseline", "benchmarks/gate.toml", external=True
    )


@nox.session
def release(session: nox.Session) -> None:
    """Run the checks required before a version is tagged; see CONTRIBUTING.md."""
    session.notify("style")
    session.notify("types")
    session.notify("docs")
    session.notify("distributions")
    _install(session, "dev")
    session.run("python", "-m", "pytest", "-q", "tests/architecture", external=True)
