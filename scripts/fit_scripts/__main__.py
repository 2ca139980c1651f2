"""Runs `python -m scripts.fit_scripts`; see the package."""

from __future__ import annotations

import argparse
from pathlib import Path


def main() -> None:
    """Runs the step named on the command line."""
    parser = argparse.ArgumentParser(prog="fit_scripts")
    steps = parser.add_subparsers(dest="step", required=True)
    texts = steps.add_parser("texts", help="throws what is printed")
    fit = steps.add_parser("fit", help="draws lines and learns to read them")
    write = steps.add_parser("write", help="writes the model")
    for step in (texts, fit):
        step.add_argument("texts", type=Path)
        step.add_argument("--processes", type=int, default=2)
    texts.add_argument("--count", type=int, default=120_000, help="texts of each script")
    for step in (fit, write):
        step.add_argument("weights", type=Path)
    write.add_argument("--former", type=Path, help="graph that the fit began with")
    write.add_argument("--share", type=float, default=1.0, help="of the new weights in the mean with it")
    fit.add_argument("--minutes", type=float, default=20)
    fit.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate")
    fit.add_argument("--begin", type=Path, help="weights to begin with")
    given = parser.parse_args()
    # Imported per step: each needs packages that the others do not.
    if given.step == "texts":
        from scripts.fit_scripts.texts import throw_texts

        throw_texts(given.texts, given.count, given.processes)
    elif given.step == "fit":
        from scripts.fit_scripts.fitting import fit as learn

        learn(given.texts, given.weights, given.minutes, given.processes, given.rate, given.begin)
    else:
        from scripts.fit_scripts.exporting import write as export

        export(given.weights, given.former, given.share)


if __name__ == "__main__":
    main()
