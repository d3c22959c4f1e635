"""The kinds of models, by library. A kind is a function of a folder and a seed, which fits a model and writes its file there."""
import os
from dataclasses import dataclass
from typing import Callable

import numpy as np

from . import tables

ROWS, TRAINING = 24, 260


@dataclass
class Kind:
    library: str
    name: str
    make: Callable  # of a folder and a seed
    short: bool = False  # is in the short form

    def given(self, folder):
        """Fits the model, and another one of other rows."""
        made = []
        for seed in 1, 2:
            os.makedirs(os.path.join(folder, str(seed)))
            made.append(self.make(os.path.join(folder, str(seed)), seed))
        made[0].other = made[1]
        return made[0]


KINDS: list[Kind] = []


def add(library, name, make, short=False):
    KINDS.append(Kind(library, name, make, short))


def data(draw, classes, seed, holes=0.0):
    """Rows to train on, their labels, and rows to ask about, some of them those of the training."""
    rng = np.random.default_rng(seed)
    x, y = draw(rng, classes, TRAINING, holes)
    rows, _ = draw(rng, classes, ROWS, holes)
    rows[:4] = x[:4]
    return x, y, rows


def all_kinds():
    """Imports the libraries' kinds."""
    from . import of_boosters, of_facet, of_onnx, of_sklearn  # noqa: F401

    return KINDS
