"""A model as the command takes it, and its own library's predictions of rows."""
from dataclasses import dataclass, field, replace
from typing import Any, Callable

import numpy as np
import pandas as pd

from . import tables


@dataclass
class Given:
    """A model, whose rows are matrices with codes for categories and NaN for missing values."""

    path: str  # the file, for --model
    classes: int  # 0 of regressors
    x: np.ndarray  # rows of the training
    rows: np.ndarray  # those that are asked about
    frame: Callable[[np.ndarray], Any]  # rows as the library takes them
    labels: Callable[[Any], np.ndarray] | None  # by the library, of a frame: numbers of classes
    outputs: Callable[[Any], np.ndarray] | None  # rows × 1, of label 1 or of a regressor, or rows × classes
    probabilities: Callable[[Any], np.ndarray] | None
    live: Any = None  # for the Python package; None: the file
    codes: dict[int, int] = field(default_factory=dict)  # of categories, how many
    sums: Callable[[Any], np.ndarray] | None = None  # the sums that questions about all inputs are about, where they are not the outputs
    exact: float = 0.0  # how far outputs may lie from those of the library
    apart: float = 1e-6  # how far a probability lies from the threshold for the library's rounding not to count
    other: "Given | None" = None  # for comparisons
    above: float | None = None  # of regressors, the output in question

    def __post_init__(self):
        if not self.classes:
            seen = np.unique(self.outputs(self.frame(self.rows)))
            middle = len(seen) // 2
            self.above = float(seen[middle - 1] + seen[middle]) / 2 if len(seen) > 1 else float(seen[0])

    @property
    def dim(self):
        return self.x.shape[1]

    @property
    def numbers(self):
        """The features that are neither categories nor one-hot."""
        return [f for f in range(self.dim) if f not in self.codes and f not in self.one_hot]

    @property
    def one_hot(self):
        return tables.ONE_HOT if self.dim == 6 else ()

    @property
    def flags(self):
        """The sentence of every question about labels for a regressor."""
        return [f"--target=output:{self.above!r}"] if self.above is not None else []

    def scaled(self, by):
        """Returns the same model for rows of which each feature is so many times that of the library."""
        return replace(self, x=self.x * by, rows=self.rows * by, frame=lambda rows: self.frame(rows / by), live=None)

    def said(self, rows):
        """Returns the labels that the library predicts, as the command spells them."""
        return self.said_of(self.frame(rows))

    def said_of(self, frame):
        if self.above is not None:
            return np.where(self.outputs(frame)[:, 0] >= self.above, "above", "below")
        return self.labels(frame).astype(str)

    def out(self, rows):
        """Returns the outputs that questions about all inputs are about: of more than two classes all, else one."""
        sums = (self.sums or self.outputs)(self.frame(rows))
        return sums[:, -1:] if self.classes < 3 else sums


def matrix(rows):
    return rows


def table(codes, how=pd.Categorical, cut=np.float32):
    """Returns a function that makes data frames of rows. A code is a number without its decimals; how makes a column of codes, or a cell."""
    def frame(rows):
        columns = {}
        for f in range(rows.shape[1]):
            columns[f] = rows[:, f]
            if f in codes:
                whole = np.where(np.isnan(rows[:, f]), -1, rows[:, f].astype(cut)).astype(int)
                columns[f] = how(whole, categories=range(codes[f])) if how is pd.Categorical else [how(code) for code in rows[:, f]]
        return pd.DataFrame(columns)
    return frame


def column(values):
    """Returns outputs as rows × outputs."""
    values = np.asarray(values, float)
    return values[:, None] if values.ndim == 1 else values
