"""Simulates effects of printing and handling: the print head's dots, fading, smears, folds, torn edges."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Real = NDArray[np.float32]
Noise = np.random.Generator

#: Paper colours (red, green, blue) as shares of white.
TINTS = ((1.0, 1.0, 1.0), (1.0, 0.985, 0.95), (0.97, 0.985, 1.0), (1.0, 0.97, 0.97), (0.96, 0.97, 0.93))


def field(shape: tuple[int, int], cells: float, noise: Noise) -> Real:
    """Smooth random values between 0 and 1 with about `cells` bumps along the longer side."""
    height, width = shape
    longest = max(shape)
    rows, cols = (max(2, round(cells * side / longest) + 2) for side in shape)
    coarse = noise.random((rows, cols), dtype=np.float32)
    return np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), 0, 1)


def head_dots(strip: Gray, dots: float) -> Gray:
    """The strip as printed by a head with `dots` dots across the image's width: every dot black or not."""
    height, width = strip.shape
    size = (round(dots), round(height * dots / width))
    small = cv2.resize(strip, size, interpolation=cv2.INTER_AREA)
    binary = np.where(small < 150, 0, 255).astype(np.uint8)
    large = cv2.resize(binary, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(large, (0, 0), 0.7), np.uint8)


def worn(strip: Gray, strength: float, noise: Noise) -> Real:
    """Ink between 0 (none) and 1, after fading, missing dots, dead columns and smears.

    strength: 0 for a fresh receipt to 1 for the worst that people still photograph.
    """
    ink: Real = np.asarray(1 - strip / 255, np.float32)
    height, width = ink.shape
    ink *= 1 - strength * 0.55 * field(ink.shape, 5, noise)
    if noise.random() < 0.5 * strength:
        # One side of the head is colder.
        ramp = np.linspace(1, 1 - 0.5 * strength, width, dtype=np.float32)
        ink = ink * (ramp if noise.random() < 0.5 else ramp[::-1])
    specks = noise.random(ink.shape, dtype=np.float32)
    ink *= 1 - (specks < 0.02 * strength) * 0.8
    for _ in range(int(noise.integers(0, 3)) if noise.random() < strength else 0):
        at = int(noise.integers(0, width))
        ink[:, at : at + int(noise.integers(1, 3))] *= 0.15
    if noise.random() < 0.25 * strength:
        top = int(noise.integers(0, max(1, height - 60)))
        patch = ink[top : top + 60]
        ink[top : top + 60] = 0.6 * patch + 0.4 * cv2.blur(patch, (1, 13))
    return ink


def shaded(shape: tuple[int, int], strength: float, noise: Noise) -> Real:
    """Light on the paper's creases: about 1, darker and lighter along folds and facets."""
    height, width = shape
    light = np.ones(shape, np.float32)
    light += strength * 0.10 * (field(shape, 4, noise) - 0.5)
    for _ in range(int(noise.integers(0, 4))):
        across = noise.random() < 0.75
        length = height if across else width
        at = float(noise.uniform(0.1, 0.9)) * length
        tilt = float(noise.uniform(-0.03, 0.03))
        rows = np.arange(height, dtype=np.float32)[:, None]
        cols = np.arange(width, dtype=np.float32)[None, :]
        distance = rows - at - tilt * cols if across else cols - at - tilt * rows
        light += strength * 0.07 * np.sign(distance) * np.exp(-np.abs(distance) / (0.16 * width))
        light -= strength * 0.16 * np.exp(-((distance / 2.2) ** 2))
    if noise.random() < 0.35:
        light += strength * _facets(shape, noise)
    return light


def _facets(shape: tuple[int, int], noise: Noise) -> Real:
    """Flat pieces of different brightness, as on crumpled paper."""
    height, width = shape
    light = np.zeros(shape, np.float32)
    for _ in range(int(noise.integers(6, 16))):
        center = noise.uniform((0, 0), (width, height))
        size = float(noise.uniform(0.15, 0.6)) * width
        corners = center + noise.uniform(-size, size, (int(noise.integers(3, 6)), 2))
        piece = np.zeros(shape, np.float32)
        hull = cv2.convexHull(np.round(corners).astype(np.int32))
        cv2.fillConvexPoly(piece, hull, 1.0, cv2.LINE_AA)
        light += float(noise.uniform(-0.05, 0.05)) * piece
    return light


def outline(shape: tuple[int, int], noise: Noise) -> Real:
    """A mask: 1 on the paper, 0 beyond its torn or toothed ends."""
    width = shape[1]
    mask = np.ones(shape, np.float32)
    for top in (True, False):
        kind = noise.random()
        if kind < 0.35:
            continue
        cols = np.arange(width)
        if kind < 0.75:
            pitch, depth = float(noise.uniform(7, 16)), float(noise.uniform(4, 9))
            edge = depth * np.abs((cols / pitch) % 2 - 1)
        else:
            edge = 14 * np.asarray(field((1, width), 14, noise))[0]
        depth_of = edge[None, :] > np.arange(24)[:, None]
        strip = mask[:24] if top else mask[-24:][::-1]
        strip[depth_of[: strip.shape[0]]] = 0
    return mask


def colored(ink: Real, light: Real, noise: Noise) -> Real:
    """Red, green, blue from 0 to 1: tinted, lit paper with dark grey or bluish ink."""
    tint = np.array(TINTS[int(noise.integers(0, len(TINTS)))], np.float32) * float(noise.uniform(0.9, 1))
    black = np.array((0.12, 0.12, 0.13), np.float32) + np.float32(noise.uniform(-0.05, 0.12))
    if noise.random() < 0.12:
        black = np.array((0.22, 0.2, 0.38), np.float32)
    paper = light[..., None] * tint
    if noise.random() < 0.06:
        # The coloured stripe of a roll that runs out.
        width = ink.shape[1]
        left = int(noise.choice((0, width - width // 9)))
        paper[:, left : left + width // 9] *= np.array((1, 0.72, 0.76), np.float32)
    shown = np.clip(ink, 0, 1)[..., None]
    return np.asarray(np.clip(paper * (1 - shown) + black * shown, 0, 1), np.float32)
