"""Fits with Adam on CTC's loss, in batches of lines of similar length; the learning rate follows a cosine."""

from __future__ import annotations

import itertools
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from scripts.fit_heads.lines import Drawn
from scripts.fit_heads.network import FEATURES, Weights, logits

#: Numbers of steps that lines are padded to; a batch has at most `_BATCH` steps in all.
_LENGTHS = (20, 32, 48, 64, 96, 144, 400)
#: Maximum length of a text in the fit.
_LONGEST = 56
_BATCH = 4800
#: Learning rate at its highest.
RATE = 2e-3
_WARM_UP = 100
_NOISE = 0.05
#: Share of the features masked on a line during the fit, so that it relies on none of them.
_HIDDEN = 0.12
#: Number of lines read after every round to report progress.
_GLANCE = 150
#: Weights that are not learned.
_GIVEN = ("mean", "deviation", "spelled")


def spread(lines: Sequence[Drawn]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean and deviation of each feature on the lines of the fit."""
    seen = [line.features for line in lines if not line.left_out]
    sample = np.concatenate(seen[::10]).astype(np.float32)
    return sample.mean(axis=0), sample.std(axis=0) + np.float32(1e-3)


def fit(
    lines: Sequence[Drawn],
    characters: tuple[str, ...],
    weights: Weights,
    rounds: int,
    keep: Callable[[Weights], None],
    rate: float = RATE,
) -> Weights:
    """The weights after `rounds` rounds over all lines; `keep` gets those of each round. rate: maximum
    learning rate. Prints the character error rate on left-out lines."""
    known = set(characters)
    usable = [line for line in lines if set(line.text) <= known and _fits(line)]
    test, rest = [x for x in usable if x.left_out], [x for x in usable if not x.left_out]
    given = {name: weights[name] for name in _GIVEN if name in weights}
    learned = {name: jnp.asarray(value) for name, value in weights.items() if name not in _GIVEN}
    optimizer = optax.inject_hyperparams(optax.adamw)(learning_rate=rate, b2=0.99, weight_decay=0.01)
    state = optimizer.init(learned)
    step = jax.jit(partial(_step, optimizer, given))
    key, began, count = jax.random.PRNGKey(1), time.monotonic(), 0
    total = rounds * sum(1 for _ in _batches(rest, characters, 0))
    for done in range(rounds):
        for batch in _batches(rest, characters, done):
            count += 1
            share = min(1.0, count / _WARM_UP) * max(0.005, 0.5 * (1 + np.cos(np.pi * count / total)))
            state.hyperparams["learning_rate"] = jnp.asarray(rate * share, jnp.float32)
            key, noise = jax.random.split(key)
            learned, state = step(learned, state, batch, noise)
        fitted = _fitted(learned, given)
        keep(fitted)
        wrong = error_rate(test[:_GLANCE], characters, fitted)
        print(f"round {done + 1}, {time.monotonic() - began:.0f} s: {wrong:.4f}", file=sys.stderr, flush=True)
    fitted = _fitted(learned, given)
    print(f"errors a character on {len(test)} lines left out: {error_rate(test, characters, fitted):.4f}")
    return fitted


def _fitted(learned: Weights, given: Weights) -> Weights:
    return {name: np.asarray(value) for name, value in learned.items()} | given


def error_rate(lines: Sequence[Drawn], characters: tuple[str, ...], weights: Mapping[str, Any]) -> float:
    """Edit distance per printed character."""
    wrong = printed = 0
    for line in lines:
        features = line.features[None].astype(np.float32)
        best = np.asarray(logits(dict(weights), features, np.ones(features.shape[:2], np.float32), np))[0]
        wrong += Levenshtein.distance(_decoded(best.argmax(axis=1), characters), line.text)
        printed += len(line.text)
    return wrong / printed


def _decoded(best: Any, characters: tuple[str, ...]) -> str:
    changes = [c for i, c in enumerate(best) if i == 0 or c != best[i - 1]]
    return "".join(characters[c] for c in changes)


def _fits(line: Drawn) -> bool:
    """Whether CTC has enough steps: one per character, one more between two equal ones."""
    needed = len(line.text) + sum(a == b for a, b in itertools.pairwise(line.text))
    return len(line.text) <= _LONGEST and needed <= len(line.features)


def _batches(lines: Sequence[Drawn], characters: tuple[str, ...], seed: int) -> Iterator[tuple[Any, ...]]:
    """Every line once, in random order; the last batch of each length is filled up with repeated lines."""
    dice = np.random.default_rng(seed)
    by_length: dict[int, list[Drawn]] = defaultdict(list)
    for line in lines:
        by_length[next(n for n in _LENGTHS if len(line.features) <= n)].append(line)
    batches: list[tuple[int, list[Drawn]]] = []
    for length, group in by_length.items():
        size = max(1, _BATCH // length)
        order = [group[i] for i in dice.permutation(len(group))]
        order += [group[i] for i in dice.integers(0, len(group), -len(order) % size)]
        batches += [(length, order[i : i + size]) for i in range(0, len(order), size)]
    for i in dice.permutation(len(batches)):
        length, chosen = batches[i]
        yield _batch(length, chosen, characters)


def _batch(length: int, lines: Sequence[Drawn], characters: tuple[str, ...]) -> tuple[Any, ...]:
    """features, inside (1 on the line), classes and their padding (1 after the text)."""
    index = {character: i for i, character in enumerate(characters)}
    features = np.zeros((len(lines), length, FEATURES), np.float32)
    inside = np.zeros((len(lines), length), np.float32)
    classes = np.zeros((len(lines), min(length, _LONGEST)), np.int32)
    behind = np.ones(classes.shape, np.float32)
    for i, line in enumerate(lines):
        features[i, : len(line.features)] = line.features
        inside[i, : len(line.features)] = 1
        classes[i, : len(line.text)] = [index[c] for c in line.text]
        behind[i, : len(line.text)] = 0
    return features, inside, classes, behind


def _step(
    optimizer: Any, given: Weights, learned: Weights, state: Any, batch: tuple[Any, ...], key: Any
) -> tuple[Weights, Any]:
    gradient = jax.grad(_loss)(learned, given, batch, key)
    norm = optax.global_norm(gradient)
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1, 5 / norm), gradient)
    updates, state = optimizer.update(gradient, state, learned)
    return optax.apply_updates(learned, updates), state


def _loss(learned: Weights, given: Weights, batch: tuple[Any, ...], key: Any) -> Any:
    features, inside, classes, behind = batch
    noise, hiding = jax.random.split(key)
    noisy = features + jax.random.normal(noise, features.shape) * _NOISE * given["deviation"]
    hidden = jax.random.bernoulli(hiding, _HIDDEN, (len(features), 1, FEATURES))
    noisy = jnp.where(hidden, given["mean"], noisy)
    loss = optax.ctc_loss(logits(learned | given, noisy, inside, jnp), 1 - inside, classes, behind)
    return (loss / jnp.sqrt(jnp.maximum(1, (1 - behind).sum(axis=1)))).mean()
