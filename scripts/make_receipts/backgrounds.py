"""Generates surfaces for receipts to lie on, such as tables and cloths, from noise."""

from __future__ import annotations

import cv2
import numpy as np

from scripts.make_receipts.paper import Noise, Real, field

_WOODS = ((0.55, 0.38, 0.24), (0.38, 0.24, 0.14), (0.72, 0.58, 0.42), (0.25, 0.17, 0.12))
_PLAINS = ((0.12, 0.12, 0.13), (0.85, 0.85, 0.83), (0.45, 0.47, 0.5), (0.3, 0.36, 0.45), (0.5, 0.25, 0.22))


def background(shape: tuple[int, int], noise: Noise) -> Real:
    """A surface (height, width, 3), 0 to 1: wood, stone, cloth or plain."""
    kind = noise.random()
    if kind < 0.4:
        return _wood(shape, noise)
    if kind < 0.6:
        return _stone(shape, noise)
    if kind < 0.8:
        return _cloth(shape, noise)
    return _plain(shape, noise)


def _tone(palette: tuple[tuple[float, float, float], ...], noise: Noise) -> Real:
    color = np.array(palette[int(noise.integers(0, len(palette)))], np.float32)
    return np.asarray(color * float(noise.uniform(0.8, 1.2)), np.float32)


def _wood(shape: tuple[int, int], noise: Noise) -> Real:
    height, width = shape
    along = noise.random() < 0.6
    grain_shape = (height, max(2, width // 40)) if along else (max(2, height // 40), width)
    fine = cv2.resize(noise.random(grain_shape, dtype=np.float32), (width, height))
    coarse = field(shape, 7, noise)
    grain = 0.75 + 0.22 * (cv2.GaussianBlur(fine, (0, 0), 1.2) - 0.5) + 0.35 * (coarse - 0.5)
    planks = int(noise.integers(0, 5))
    for at in np.linspace(0, height if along else width, planks + 2)[1:-1]:
        row = int(at)
        if along:
            grain[row : row + 3] *= 0.45
        else:
            grain[:, row : row + 3] *= 0.45
    return np.asarray(np.clip(grain[..., None] * _tone(_WOODS, noise) * 1.3, 0, 1), np.float32)


def _stone(shape: tuple[int, int], noise: Noise) -> Real:
    value = 0.55 * field(shape, 6, noise) + 0.3 * field(shape, 30, noise) + 0.15 * field(shape, 140, noise)
    return np.asarray(np.clip((0.55 + 0.7 * (value[..., None] - 0.3)) * _tone(_PLAINS, noise) * 1.6, 0, 1))


def _cloth(shape: tuple[int, int], noise: Noise) -> Real:
    height, width = shape
    pitch = float(noise.uniform(3, 7))
    xs = np.sin(np.arange(width, dtype=np.float32) * 2 * np.pi / pitch)[None, :]
    ys = np.sin(np.arange(height, dtype=np.float32) * 2 * np.pi / pitch)[:, None]
    weave = 0.85 + 0.06 * (xs + ys) + 0.25 * (field(shape, 5, noise) - 0.5)
    weave += 0.08 * (noise.random(shape, dtype=np.float32) - 0.5)
    return np.asarray(np.clip(weave[..., None] * _tone(_PLAINS, noise), 0, 1), np.float32)


def _plain(shape: tuple[int, int], noise: Noise) -> Real:
    value = 0.92 + 0.12 * (field(shape, 3, noise) - 0.5)
    return np.asarray(np.clip(value[..., None] * _tone(_PLAINS, noise), 0, 1), np.float32)
