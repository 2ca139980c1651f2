"""Fits with AdamW on CTC's loss (Graves et al. 2006) for a given time, on all lines drawn so far. The
learning rate follows a cosine over that time; the stored weights are a running mean."""

from __future__ import annotations

import copy
import math
import time
from collections import defaultdict
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np
import torch
from rapidfuzz.distance import Levenshtein
from torch import Tensor, nn
from torch.nn import functional

from scripts.fit_scripts.classes import characters
from scripts.fit_scripts.drawing import Line, start
from scripts.fit_scripts.network import STRIDE, Reader
from scripts.fit_scripts.restoring import restore, settle

#: Widths that lines are padded to, and total columns of a batch.
_WIDTHS = (192, 256, 320, 448, 640, 1024)
_COLUMNS = 160_000
_LONGEST = 64
_GRAY = 128
_DECAY, _WARM_UP = 0.02, 200
_MEMORY = 0.999
#: Lines drawn before the fit begins; seconds between reports.
_FIRST = 6000
_REPORT = 90
_TESTED, _AT_ONCE = 1500, 128
#: New lines moved to the GPU at once; minimum number of lines of a width before it is used.
_FLUSH, _ENOUGH = 256, 64
_STEPS_A_LOOK = 4
#: Batches of each width that give restored norms their statistics.
_SETTLED = 4


class Pool:
    """Lines of one width, stored on the device of the fit."""

    def __init__(self, width: int, device: str) -> None:
        self.width, self.device, self.count = width, device, 0
        self.gray = torch.empty((0, 48, width), dtype=torch.uint8, device=device)
        self.classes = torch.empty((0, _LONGEST), dtype=torch.int16, device=device)
        self.lengths = torch.empty(0, dtype=torch.int64, device=device)
        self._new: list[Line] = []

    def add(self, line: Line) -> None:
        self._new.append(line)
        if len(self._new) >= _FLUSH:
            self.flush()

    def flush(self) -> None:
        """Moves the new lines to the device; the capacity doubles when it is full."""
        number = len(self._new)
        if not number:
            return
        gray = np.full((number, 48, self.width), _GRAY, np.uint8)
        classes = np.zeros((number, _LONGEST), np.int16)
        for row, line in enumerate(self._new):
            gray[row, :, : line.gray.shape[1]] = line.gray
            classes[row, : len(line.classes)] = line.classes
        if self.count + number > len(self.gray):
            room = max(1024, 2 * len(self.gray))
            self.gray = _grown(self.gray, room)
            self.classes, self.lengths = _grown(self.classes, room), _grown(self.lengths, room)
        end = self.count + number
        self.gray[self.count : end] = torch.from_numpy(gray).to(self.device)
        self.classes[self.count : end] = torch.from_numpy(classes).to(self.device)
        lengths = torch.tensor([len(line.classes) for line in self._new])
        self.lengths[self.count : end] = lengths.to(self.device)
        self.count, self._new = end, []

    def batch(self) -> tuple[Tensor, Tensor, Tensor]:
        """A random batch: grey levels, classes and their number."""
        size = _COLUMNS // self.width
        chosen = torch.randint(0, self.count, (size,), device=self.device)
        return self.gray[chosen], self.classes[chosen], self.lengths[chosen]


def _grown(tensor: Tensor, room: int) -> Tensor:
    larger = torch.empty((room, *tensor.shape[1:]), dtype=tensor.dtype, device=tensor.device)
    larger[: len(tensor)] = tensor
    return larger


def fit(texts: Path, weights: Path, minutes: float, processes: int, rate: float, begin: Path | None) -> None:
    """Writes the mean weights after every report; prints the character error rates in left-out fonts.

    minutes: duration of the fit. processes: number that draw. rate: the highest learning rate. begin: weights
    of an earlier fit to continue from.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.manual_seed(1)
    queue = start(texts, processes)
    known = characters()
    model = Reader(len(known)).to(device).to(memory_format=torch.channels_last)
    if begin is not None:
        load(model, begin)
    unsettled = begin is not None and begin.suffix == ".onnx"
    mean = copy.deepcopy(model).eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=_DECAY)
    pools = {width: Pool(width, device) for width in _WIDTHS}
    tests: list[Line] = []
    began = reported = time.monotonic()
    end = began + 60 * minutes
    step, losses, drawn = 0, [], 0
    dice = np.random.default_rng(1)
    while time.monotonic() < end:
        drawn += _take(queue, pools, tests)
        if drawn < _FIRST:
            time.sleep(0.05)
            continue
        full = [pool for pool in pools.values() if pool.count >= _ENOUGH]
        if unsettled:
            settle(model, [_input(pool.batch()[0]) for pool in full for _ in range(_SETTLED)])
            mean, unsettled = copy.deepcopy(model).eval(), False
        chances = np.array([pool.count * pool.width for pool in full], float)
        for _ in range(_STEPS_A_LOOK):
            pool = full[dice.choice(len(full), p=chances / chances.sum())]
            done = (time.monotonic() - began) / (60 * minutes)
            share = min(1.0, (step + 1) / _WARM_UP) * max(0.004, 0.5 * (1 + math.cos(math.pi * done)))
            for group in optimizer.param_groups:
                group["lr"] = rate * share
            loss = _loss(model, *pool.batch(), device)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            step += 1
            _average(mean, model, min(_MEMORY, step / (step + 20)))
            losses.append(loss.detach())
        if time.monotonic() - reported > _REPORT:
            reported = time.monotonic()
            wrong = error_rates(mean, tests[:_TESTED], known, device)
            shown = " ".join(f"{script} {rate:.4f}" for script, rate in wrong.items())
            lost = float(torch.stack(losses).mean())
            print(
                f"{reported - began:.0f} s, step {step}, {drawn} lines, loss {lost:.3f}: {shown}", flush=True
            )
            losses = []
            _keep(mean, weights)
    _keep(mean, weights)
    for script, rate in error_rates(mean, tests, known, device).items():
        print(f"{script}: {100 * rate:.2f} % of the characters misread in fonts left out", flush=True)


def load(model: nn.Module, weights: Path) -> None:
    """Loads weights that `fit` wrote into the model, or those of a graph that `exporting.write` wrote."""
    if weights.suffix == ".onnx":
        restore(model, weights)
        return
    with np.load(weights) as stored:
        model.load_state_dict({name: torch.from_numpy(stored[name]) for name in stored.files}, strict=False)


def _keep(model: nn.Module, path: Path) -> None:
    state = {
        name: value.float().cpu().numpy()
        for name, value in model.state_dict().items()
        if value.is_floating_point()
    }
    np.savez(path, **{name: value.astype(np.float32) for name, value in state.items()})


def _take(queue: Any, pools: dict[int, Pool], tests: list[Line]) -> int:
    """Moves newly drawn lines into the pools and tests; returns their number."""
    taken = 0
    for _ in range(40):
        try:
            handful = queue.get_nowait()
        except Empty:
            break
        for line in handful:
            taken += 1
            width = _width(line)
            if width is None or not _fits(line):
                continue
            if line.left_out:
                tests.append(line)
            else:
                pools[width].add(line)
    return taken


def _width(line: Line) -> int | None:
    """The width that the line is padded to; None where it is too wide."""
    return next((width for width in _WIDTHS if line.gray.shape[1] <= width), None)


def _fits(line: Line) -> bool:
    """Whether CTC has enough steps: one per character, one more between two equal ones."""
    needed = len(line.classes) + int((line.classes[1:] == line.classes[:-1]).sum())
    return 0 < len(line.classes) <= _LONGEST and needed <= line.gray.shape[1] // STRIDE


def _loss(model: nn.Module, gray: Tensor, classes: Tensor, lengths: Tensor, device: str) -> Tensor:
    x = _input(gray)
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        logits = model(x)
    chances = logits.float().log_softmax(dim=2).transpose(0, 1)
    steps = torch.full((len(gray),), chances.shape[0], dtype=torch.int64, device=gray.device)
    targets = classes[:, : int(lengths.max())].long()
    lost = functional.ctc_loss(chances, targets, steps, lengths, reduction="none", zero_infinity=True)
    return (lost / lengths.sqrt()).mean()


def _input(gray: Tensor) -> Tensor:
    """The network's input (number, 3, 48, width), augmented."""
    return _seen(gray.float() / 127.5 - 1).unsqueeze(1).expand(-1, 3, -1, -1)


def _seen(x: Tensor) -> Tensor:
    """Augments lines (number, 48, width): skew, brightness, contrast, blur, noise, some white on black."""
    number, height, width = x.shape
    even = torch.rand((number, 6), device=x.device) * 2 - 1
    turn = torch.zeros((number, 2, 3), device=x.device)
    turn[:, 0, 0], turn[:, 1, 1] = 1 + 0.05 * even[:, 0], 1 + 0.08 * even[:, 1]
    turn[:, 0, 1], turn[:, 1, 2] = 0.15 * height / width * even[:, 2], 0.06 * even[:, 3]
    turn[:, 0, 2] = turn[:, 0, 0] - 1
    grid = functional.affine_grid(turn, [number, 1, height, width], align_corners=False)
    x = functional.grid_sample(x.unsqueeze(1), grid, padding_mode="border", align_corners=False)
    blurred = functional.avg_pool2d(functional.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    share = torch.rand((number, 1, 1, 1), device=x.device)
    x = torch.where(share < 0.25, torch.lerp(x, blurred, 4 * share), x).squeeze(1)
    x = x * (1 + 0.25 * even[:, 4, None, None]) + 0.2 * even[:, 5, None, None]
    x = torch.where(torch.rand((number, 1, 1), device=x.device) < 0.03, -x, x)
    return (x + 0.05 * torch.rand((number, 1, 1), device=x.device) * torch.randn_like(x)).clamp(-1, 1)


@torch.no_grad()
def _average(mean: nn.Module, model: nn.Module, memory: float) -> None:
    kept, new = (
        [value for value in m.state_dict().values() if value.is_floating_point()] for m in (mean, model)
    )
    torch._foreach_lerp_(kept, new, 1 - memory)


@torch.no_grad()
def error_rates(model: nn.Module, lines: list[Line], known: tuple[str, ...], device: str) -> dict[str, float]:
    """Edit distance per printed character, by script."""
    wrong: dict[str, int] = defaultdict(int)
    printed: dict[str, int] = defaultdict(int)
    for width in _WIDTHS:
        fitting = [line for line in lines if _width(line) == width]
        for first in range(0, len(fitting), _AT_ONCE):
            batch = fitting[first : first + _AT_ONCE]
            gray = np.full((_AT_ONCE, 48, width), _GRAY, np.float32)
            for row, line in enumerate(batch):
                gray[row, :, : line.gray.shape[1]] = line.gray
            x = torch.from_numpy(gray / 127.5 - 1).to(device)
            best = model(x.unsqueeze(1).expand(-1, 3, -1, -1)).argmax(dim=2).cpu().numpy()
            for row, line in zip(best, batch, strict=False):
                steps = row[: -(-line.gray.shape[1] // STRIDE)]
                told = [c for i, c in enumerate(steps) if c and (i == 0 or c != steps[i - 1])]
                wrong[line.script] += Levenshtein.distance(told, line.classes.tolist())
                printed[line.script] += len(line.classes)
    return {script: wrong[script] / printed[script] for script in sorted(printed)}
