"""Adversarial pruning of training rows, and the check of proofs."""
from __future__ import annotations

import json
import os
import re
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np
import pandas as pd

from .command import FacetError, run
from .models import Subject, save
from .questions import Question, beside_proofs, learned, norm_of
from .rows import Rows, distance, labels_of, real, write_matrix

TRAINING = Subject("", "pruning")


@dataclass
class Pruned:
    """The rows that adversarial pruning keeps: those of different labels are farther than the separation from each other."""

    keep: np.ndarray
    """Positions of the rows to keep, ascending: X.iloc[keep]."""
    bound: int
    """No more rows than that can be kept."""
    certificate: str | None
    """The path of the file that says why, for check."""

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no more rows can be kept, as it always is with two labels."""
        return len(self.keep) == self.bound

    def __repr__(self) -> str:
        return f"Pruned({len(self.keep)} rows to keep, at most {self.bound})"


def training(X: Any, y: Any, separation: float, norm: Any, folder: str) -> list[str]:
    """Writes training rows and returns the flags about them."""
    measure, rows = norm_of(norm, "'inf', 1 or 2"), Rows(X, TRAINING)
    if (gaps := np.isnan(rows.matrix).any(axis=0)).any():
        raise FacetError(f"X has missing values in column {rows.columns[int(np.argmax(gaps))]!r}, between which there are no distances")
    rows.write(os.path.join(folder, "X.npy"))
    classes, codes = np.unique(labels_of(None, y, rows).astype(str), return_inverse=True)
    np.save(os.path.join(folder, "y.npy"), codes)
    return ["--train=X.npy", "--train-labels=y.npy", f"--prune={distance('separation', separation) / 2!r}", f"--norm={measure}", f"--max-values={max(1 << 26, 4 * rows.matrix.size)}"]


def prune(X: Any, y: Any, separation: float = 0.1, *, local: float | None = None, norm: Any = "inf", certificate: str | os.PathLike | None = None) -> Pruned:
    """Finds the most training rows of which none of different labels are at distance ≤ separation.

    X: rows × features, numbers. y: their labels. separation: a distance in the units of X, twice the radius of facet prune --prune.
    local: from 0.5 on; rows then conflict at the sum of their radii, each of which is so many times the distance to the nearest row of another label, and separation / 2 at most.
    norm: "inf", 1 or 2. certificate: the path of a file for the proof that no more rows can be kept, which check replays; not with local.
    """
    with tempfile.TemporaryDirectory(prefix="facet-") as folder:
        flags = training(X, y, separation, norm, folder)
        if local is not None:
            if not 0.5 <= (factor := real("local", local)) < np.inf:
                raise FacetError(f"local is {local!r}: it is a finite number from 0.5, or None")
            if certificate is not None:
                raise FacetError("local does not go with certificate: certificates know one radius for all rows")
            flags.append(f"--prune-local={factor!r}")
        if certificate is not None:
            certificate = os.path.abspath(certificate)
            flags.append(f"--proofs={certificate}")
        said = b"".join(run(["prune", *flags, "--out=keep.txt"], folder)).decode()
        keep = np.loadtxt(os.path.join(folder, "keep.txt"), dtype=int, ndmin=1)
    most = re.search(r"at most (\d+) can be kept", said)
    return Pruned(keep, int(most[1]) if most else len(keep), certificate)


def with_words_of(written: Mapping) -> pd.DataFrame:
    """Returns rows that have all words of a model in facet's own format."""
    count = max(map(len, written["category_names"]))
    columns = [pd.Series([names[i % len(names)] if names else 0.0 for i in range(count)]) for names in written["category_names"]]
    return pd.concat(columns, axis=1).set_axis(written.get("feature_names") or range(len(columns)), axis=1)


def check(proofs: str | os.PathLike, model: Any = None, *, X: Any = None, y: Any = None, separation: float = 0.1, norm: Any = "inf", above: float | None = None, vote: str | None = None, also: Any = None) -> str:
    """Replays the proofs of attack with an independent checker, against the model, with above, vote and also of attack; or the certificate of prune, against its X, y, separation and norm.

    Returns what was proven, in words. Raises FacetError if a proof does not hold, or is about another model.
    """
    path = os.path.abspath(proofs)
    if not os.path.isfile(path):
        raise FacetError(f"there is no file {os.fspath(proofs)}")
    if model is None:
        if X is None or y is None:
            raise FacetError("say what the proofs are about: the model, or X and y of prune")
        with tempfile.TemporaryDirectory(prefix="facet-") as folder:
            said = run(["check", path, *training(X, y, separation, norm, folder)], folder)
            return b"".join(said).decode().replace(path, os.fspath(proofs))
    with Question(model, vote, checked=True) as q:
        q.number(above)
        about = q.flags["model"]
        beside = beside_proofs(proofs)
        if os.path.isfile(beside):  # the proofs are about the model in facet's own format, which is made anew
            with open(beside) as f:
                written = json.load(f)
            known = q.subject.with_words is not None and "category_names" in written  # it is made with the words that it has there
            if known:
                q.flags["model"] = about = os.path.basename(learned(q.subject, with_words_of(written)).path)
            if not known or above is not None:
                write_matrix(q.at("X.npy"), np.zeros((1, written["n_features"])), written.get("feature_names"))
                q.ask("attack", test="X.npy", proofs="own.proofs")
                about = "own.proofs.model.json"
        models = [about, *others_of(also, path, q)]
        return b"".join(run(["check", path, *(f"--model={one}" for one in models)], q.folder)).decode().replace(path, os.fspath(proofs))


def others_of(also: Any, path: str, q: Question) -> list[str]:
    """Writes the other models of attack, and returns their paths in the order of its proofs."""
    given = also if isinstance(also, list) else [] if also is None else [also]
    others = [of for one in given for of in (one[1] if isinstance(one, tuple) and isinstance(one[1], list) else [one])]
    for i in range(1, len(others) + 1):
        if os.path.isfile(beside := f"{path.removesuffix('.gz')}.also-{i}.json"):
            raise FacetError(f"{beside} was written beside the proofs, in the features or the format of facet: facet check replays them, with --model of each file")
        os.mkdir(q.at(f"also-{i}"))
    return [save(one[0] if isinstance(one, tuple) else one, q.at(f"also-{i}")).path for i, one in enumerate(others, 1)]
