"""Makes a drawn line look as in a poorer photograph: few pixels, bent paper, uneven light, a moved phone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Image
from scripts.make_receipts.dice import Dice

Real = NDArray[np.float32]


def as_photographed(picture: Image, dice: Dice) -> Image:
    """The line (RGB) after one or two such effects, in their natural order."""
    chosen = dice.several(("bent", "lit", "moved", "small"), dice.whole(1, 2))
    seen = np.asarray(picture, np.float32)
    if "bent" in chosen:
        seen = _bent(seen, dice)
    if "lit" in chosen:
        seen = _lit(seen, dice)
    if "moved" in chosen:
        seen = _moved(seen, dice)
    if "small" in chosen:
        high = dice.real(12, 26)
        if high < seen.shape[0]:
            size = (max(8, round(seen.shape[1] * high / seen.shape[0])), round(high))
            seen = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.float32)
    pixels = np.clip(seen, 0, 255).astype(np.uint8)
    _, file = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, dice.whole(45, 92)])
    pixels = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)
    if pixels.shape[0] < 14:
        # Small text is warped directly to the recogniser's height.
        size = (max(8, round(pixels.shape[1] * 48 / pixels.shape[0])), 48)
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return pixels


def _bent(seen: Real, dice: Dice) -> Real:
    """A line that waves up and down and whose letters lean differently."""
    height, width = seen.shape[:2]
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    bow, phase = dice.real(-0.09, 0.09) * height, dice.real(0, 6.3)
    waves = dice.real(0.3, 1.2)
    down += np.float32(bow) * np.sin(np.pi * waves * across / width + phase)
    across += np.float32(dice.real(-0.2, 0.2)) * (down - height / 2)
    down = (down - height / 2) * np.float32(dice.real(0.9, 1.12)) + height / 2
    return np.asarray(
        cv2.remap(seen, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _lit(seen: Real, dice: Dice) -> Real:
    """A shadow's soft edge across the line, and less contrast on one side."""
    height, width = seen.shape[:2]
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    angle, soft = dice.real(0, 6.3), dice.real(0.1, 1.5) * height
    distance = (across - dice.real(0, 1) * width) * np.cos(angle) + (down - height / 2) * np.sin(angle)
    dark = 1 / (1 + np.exp(np.clip(-distance / soft, -30, 30)))
    light = (1 - dice.real(0.1, 0.5) * dark) * dice.real(0.7, 1.05)
    lifted = 255 - (255 - seen) * (1 - dice.real(0, 0.5) * (1 - dark))[..., None]
    return np.asarray(lifted * light[..., None], np.float32)


def _moved(seen: Real, dice: Dice) -> Real:
    """A phone that moved or was out of focus, in relation to the height of the letters."""
    height = seen.shape[0]
    if dice.chance(0.5):
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), dice.real(0.01, 0.03) * height), np.float32)
    length = max(2, round(dice.real(0.03, 0.07) * height))
    kernel = np.zeros((length, length), np.float32)
    turn = dice.pick(("across", "down", "aslant"))
    if turn == "aslant":
        np.fill_diagonal(kernel, 1 / length)
    elif turn == "across":
        kernel[length // 2] = 1 / length
    else:
        kernel[:, length // 2] = 1 / length
    return np.asarray(cv2.filter2D(seen, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)
