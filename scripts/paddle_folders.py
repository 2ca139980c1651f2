"""Makes model folders for PaddleOCR from the official PP-OCRv6 ONNX files in the wheel of rapidocr.

    python -m scripts.paddle_folders OUT

PaddleOCR runs them with its onnxruntime engine. They have the weights of the shipped networks: this shows
that the backend works, not how other weights perform. Folders of other weights come from PaddleOCR's site.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

_DETECTOR, _RECOGNIZER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"


def write_folders(out: Path) -> tuple[Path, Path]:
    """Writes the folders of the detector and of the recogniser below `out`; returns their paths."""
    import onnxruntime

    source = _models()
    session = onnxruntime.InferenceSession(str(source / _RECOGNIZER), providers=["CPUExecutionProvider"])
    characters = session.get_modelmeta().custom_metadata_map["character"].split("\n")
    mean, deviation = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
    normalise = {"NormalizeImage": {"mean": mean, "std": deviation, "scale": "1./255.", "order": "hwc"}}
    detector = {
        "Global": {"model_name": "PP-OCRv6_small_det"},
        "PreProcess": {"transform_ops": [{"DetResizeForTest": {}}, normalise, {"ToCHWImage": None}]},
        "PostProcess": {
            "name": "DBPostProcess",
            "thresh": 0.3,
            "box_thresh": 0.5,
            "max_candidates": 2000,
            "unclip_ratio": 1.6,
        },
    }
    recognizer = {
        "Global": {"model_name": "PP-OCRv6_small_rec"},
        "PreProcess": {"transform_ops": [{"RecResizeImg": {"image_shape": [3, 48, 320]}}]},
        "PostProcess": {"name": "CTCLabelDecode", "character_dict": characters},
    }
    return (
        _folder(out / "detector", source / _DETECTOR, detector),
        _folder(out / "recognizer", source / _RECOGNIZER, recognizer),
    )


def _models() -> Path:
    """The folder of rapidocr's models; rapidocr need not be importable."""
    found = importlib.util.find_spec("rapidocr")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("rapidocr is not installed; pip install 'receipt-engine[bench]'.")
    return Path(found.submodule_search_locations[0]) / "models"


def _folder(folder: Path, model: Path, description: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(model, folder / "inference.onnx")
    # JSON is YAML; the name has a separate line because it is searched for by line.
    name = description["Global"]["model_name"]
    rest = {key: value for key, value in description.items() if key != "Global"}
    lines = [f"{key}: {json.dumps(value)}" for key, value in rest.items()]
    text = "\n".join(["Global:", f"  model_name: {name}", *lines, ""])
    (folder / "inference.yml").write_text(text, encoding="utf-8")
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    for written in write_folders(parser.parse_args().out):
        print(written)
