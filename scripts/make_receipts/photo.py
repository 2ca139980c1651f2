"""Simulates a photo of a strip of paper: curled, rotated, on a table, unevenly lit, through a small lens."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.make_receipts.backgrounds import background
from scripts.make_receipts.paper import Noise, Real, field

Pixels = NDArray[np.uint8]


def photograph(paper: Real, mask: Real, noise: Noise) -> Pixels:
    """RGB image of the paper (height, width, 3; 0 to 1; shown where mask is 1) on a surface."""
    height, width = paper.shape[:2]
    scene_width = round(width * float(noise.uniform(1.08, 1.7)))
    scene_height = round(height * float(noise.uniform(1.03, 1.22)) + 0.1 * width)
    across, down = _paper_coordinates((scene_height, scene_width), (height, width), noise)
    seen = cv2.remap(paper, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    beyond = cv2.BORDER_CONSTANT
    alpha: Real = np.asarray(
        cv2.remap(mask, across, down, cv2.INTER_LINEAR, borderMode=beyond, borderValue=0.0), np.float32
    )
    scene = background((scene_height, scene_width), noise)
    scene = _cast_shadow(scene, alpha, noise)
    scene = np.asarray(scene * (1 - alpha[..., None]) + seen * alpha[..., None], np.float32)
    scene = _lit(scene, noise)
    scene = lens(scene, noise)
    return np.asarray(np.clip(scene * 255 + 0.5, 0, 255), np.uint8)


def _paper_coordinates(scene: tuple[int, int], paper: tuple[int, int], noise: Noise) -> tuple[Real, Real]:
    """For every scene pixel its place on the paper: perspective, then curl."""
    (scene_height, scene_width), (height, width) = scene, paper
    angle = np.deg2rad(float(np.clip(noise.normal(0, 3.2), -8, 8)))
    # A long strip at a large angle would leave the image.
    angle = float(np.clip(angle, -0.9 * scene_width / height, 0.9 * scene_width / height))
    shrink = min(
        scene_width / (width * np.cos(angle) + height * abs(np.sin(angle))),
        scene_height / (height * np.cos(angle) + width * abs(np.sin(angle))),
    ) * float(noise.uniform(0.9, 0.985))
    corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2 * shrink
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    corners = corners @ turn.T
    corners *= 1 + noise.uniform(-0.035, 0.035, (4, 2))
    corners += np.array((scene_width, scene_height)) / 2
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    back = cv2.getPerspectiveTransform(corners.astype(np.float32), flat).astype(np.float32)
    xs = np.arange(scene_width, dtype=np.float32)[None, :]
    ys = np.arange(scene_height, dtype=np.float32)[:, None]
    depth = back[2, 0] * xs + back[2, 1] * ys + back[2, 2]
    u = (back[0, 0] * xs + back[0, 1] * ys + back[0, 2]) / depth
    v = (back[1, 0] * xs + back[1, 1] * ys + back[1, 2]) / depth
    bow = float(noise.uniform(-0.018, 0.018)) * width
    sway = float(noise.uniform(-0.02, 0.02)) * width
    waves = float(noise.uniform(0.5, 1.6))
    phase = float(noise.uniform(0, 6.3))
    v = v + bow * np.sin(np.pi * np.clip(u / width, 0, 1))
    u = u + sway * np.sin(waves * np.pi * v / height + phase)
    return u.astype(np.float32), v.astype(np.float32)


def _cast_shadow(scene: Real, alpha: Real, noise: Noise) -> Real:
    """Darkens the table beside the paper."""
    dx, dy = (int(offset) for offset in noise.integers(-14, 15, 2))
    moved = np.roll(alpha, (dy, dx), axis=(0, 1))
    soft = cv2.GaussianBlur(moved, (0, 0), float(noise.uniform(4, 14)))
    return np.asarray(scene * (1 - float(noise.uniform(0.2, 0.55)) * soft[..., None]), np.float32)


def _lit(scene: Real, noise: Noise) -> Real:
    """Applies light from one side, its colour, and perhaps a hand's or a phone's shadow."""
    height, width = scene.shape[:2]
    angle = float(noise.uniform(0, 2 * np.pi))
    xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    slope = float(noise.uniform(0, 0.17))
    light = 1 - slope + slope * (float(np.cos(angle)) * xs + float(np.sin(angle)) * ys)
    light = light + 0.08 * (field((height, width), 2.5, noise) - 0.5)
    if noise.random() < 0.4:
        light = light * (1 - float(noise.uniform(0.12, 0.38)) * _blot((height, width), noise))
    warmth = float(noise.normal(0, 0.03))
    color = np.array((1 + warmth, 1, 1 - warmth), np.float32)
    return np.asarray(scene * light[..., None] * color, np.float32)


def _blot(shape: tuple[int, int], noise: Noise) -> Real:
    """A soft shape that enters from an edge."""
    height, width = shape
    side = float(noise.choice((-0.1, 1.1)))
    center = np.array((side * width, float(noise.uniform(0, 1)) * height))
    reach = float(noise.uniform(0.35, 0.8)) * width
    corners = center + noise.normal(0, reach, (7, 2))
    blot = np.zeros(shape, np.float32)
    cv2.fillConvexPoly(blot, cv2.convexHull(np.round(corners).astype(np.int32)), 1.0)
    small = cv2.resize(blot, (max(1, width // 8), max(1, height // 8)), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), float(noise.uniform(2, 9)))
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def lens(scene: Real, noise: Noise) -> Real:
    """Applies lens and sensor effects: blur, contrast, brightness, noise."""
    sigma = float(noise.uniform(0.2, 1.15))
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), sigma), np.float32)
    if noise.random() < 0.1:
        length = int(noise.integers(2, 4))
        kernel = np.full((1, length) if noise.random() < 0.5 else (length, 1), 1 / length, np.float32)
        scene = np.asarray(cv2.filter2D(scene, -1, kernel), np.float32)
    gain, lift = float(noise.uniform(0.8, 1.06)), float(noise.uniform(0, 0.05))
    scene = scene * gain + lift
    grain = noise.standard_normal(scene.shape, dtype=np.float32)
    return np.asarray(np.clip(scene + np.float32(noise.uniform(0.004, 0.022)) * grain, 0, 1), np.float32)
