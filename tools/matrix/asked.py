"""The questions: each puts the command, or the Python package, to a model, and has the library confirm every answer."""
from dataclasses import dataclass
from typing import Callable

import numpy as np

from .command import Refusal, Wrong, lines
from .rules import Rules  # noqa: F401


LIMIT = 2.0  # seconds for a row: bounds that are proven by then are confirmed as well


@dataclass
class Asking:
    """One cell: a model, and the files that are needed to ask about it."""

    given: object
    folder: str
    rng: np.random.Generator
    many: int  # inputs that are drawn for each row

    def __post_init__(self):
        self.test(self.given.rows)

    def test(self, rows):
        """Writes the rows in question."""
        self.rows = rows
        np.save(f"{self.folder}/rows.npy", rows)

    @property
    def about(self):
        missing = ["--missing=keep"] if np.isnan(self.rows).any() else []
        return [f"--model={self.given.path}", "--test=rows.npy", "--label=none", *missing]

    def lines(self, command, *flags, fine=(0,)):
        """Returns the command's answers about the rows, in their order."""
        limit = [] if command == "predict" else [f"--timeout={LIMIT}s"]
        return sorted(lines(command, *self.about, *limit, *flags, folder=self.folder, fine=fine), key=lambda line: line["row"])


QUESTIONS: dict[str, dict[str, Callable]] = {}  # by chapter: a function of an Asking, which returns how many rows were confirmed


def question(chapter, name):
    def add(ask):
        QUESTIONS.setdefault(chapter, {})[name] = ask
        return ask
    return add


def all_questions():
    """Imports the questions of all chapters."""
    from . import about_all, about_pages, about_predictions, about_python, about_reasons, about_rows  # noqa: F401

    order = ["Predictions", "Nearest inputs", "Rules of moves", "Reasons", "All inputs", "Proofs", "Pages", "Units", "Python"]
    return {chapter: QUESTIONS[chapter] for chapter in order}


def demand(right, sentence):
    if not right:
        raise Wrong(sentence)


def shown(row):
    return "[" + ", ".join(repr(v) for v in np.asarray(row).tolist()) + "]"


def side(a):
    """The labels that the question is about: those of the library, all of which count."""
    return lambda rows: (a.given.said(rows), np.ones(len(rows), bool))


def confirm(a, said, rules, target=None, labels=None):
    """Confirms lines of facet attack: labels, examples, distances, and that no input within a bound is an answer. Returns the rows confirmed.

    labels returns the labels of rows, and which of them are sure.
    """
    labels, rows, codes = labels or side(a), a.rows, a.given.codes
    own, sure = labels(rows)
    at = np.array([line["row"] for line in said])
    demand(sorted(at) == list(range(len(rows))), f"lines of rows {sorted(at)}")
    said = [line for line in said if sure[line["row"]]]
    for line in said:
        demand(str(line["predicted"]) == own[line["row"]], f"row {shown(rows[line['row']])} is said to be {line['predicted']}, the library says {own[line['row']]}")
    asked = [line for line in said if line["status"] not in ("reached", "misclassified")]
    for line in said:
        demand((line["status"] == "reached") == (own[line["row"]] == target), f"row {shown(rows[line['row']])}, {own[line['row']]}, has the status {line['status']}, target {target}")
    examples(a, [line for line in asked if line["adversarial"] is not None], rules, target, labels, own)
    bounds = np.zeros(len(rows))
    toward = np.full(rows.shape, np.nan)
    for line in asked:
        bounds[line["row"]] = np.inf if line["bound"] is None and line["optimal"] else line["bound"] or 0
        demand(line["adversarial"] is not None or line["status"] in ("none", "limit"), f"no example, and the status {line['status']}")
        if line["adversarial"] is not None:
            toward[line["row"]] = values(line["adversarial"])
    z, of = rules.around(a.given, rows, bounds, a.many, a.rng, toward)
    kept(a, z, of, own, target, labels, rules, bounds)
    return len(said)


def values(row):
    """Returns an input that a line shows."""
    return np.array([np.nan if v is None else float(v) for v in row])


def examples(a, found, rules, target, labels, own):
    """Confirms that examples are answers that the rules allow, at the distances that are said."""
    if not found:
        return
    at = np.array([line["row"] for line in found])
    z = np.array([values(line["adversarial"]) for line in found])
    now, sure = labels(z)
    price, fine = rules.price(a.rows[at], z, a.given.codes), rules.allowed(a.rows[at], z, a.given.codes)
    for line, row, to, label, certain, cost, allowed in zip(found, at, z, now, sure, price, fine):
        where = f"row {shown(a.rows[row])}, {own[row]}, to {shown(to)}"
        if certain:
            demand(label == str(line["adversarial_label"]), f"{where}: said to be {line['adversarial_label']}, the library says {label}")
            demand(label == target if target is not None else label != own[row], f"{where} is no answer: {label}")
        demand(allowed, f"{where} breaks the rules")
        demand(abs(cost - line["distance"]) <= 1e-9 * max(1, cost), f"{where}: said to cost {line['distance']!r}, and costs {cost!r}")
        demand(line["bound"] is None or line["bound"] <= line["distance"] * (1 + 1e-12), f"{where}: bound {line['bound']!r} above distance {line['distance']!r}")


def kept(a, z, of, own, target, labels, rules, bounds):
    """Confirms that none of the inputs that were drawn is an answer."""
    if not len(z):
        return
    now, sure = labels(z)
    wrong = sure & ((now == target) if target is not None else (now != own[of]))
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        cost = rules.price(a.rows[of[i:i + 1]], z[i:i + 1], a.given.codes)[0]
        raise Wrong(
            f"{wrong.sum()} of {len(z)} inputs within bounds are answers: row {shown(a.rows[of[i]])}, {own[of[i]]}, to {shown(z[i])}, {now[i]}, "
            f"at {cost!r} below the bound {bounds[of[i]]!r}")
