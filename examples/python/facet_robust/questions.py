"""The questions: each takes a live model and rows, asks the command, and returns data frames."""
from __future__ import annotations

import csv
import io
import json
import math
import operator
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Hashable, Mapping, Sequence

import numpy as np
import pandas as pd

from .command import FacetError, Progress, run, worded_for_python
from .models import Subject, save
from .rows import Rows, as_frame, as_labels, distance, labels_of, listed, real, whole, write_matrix

NORMS = {"inf": "inf", math.inf: "inf", 1: "1", 2: "2", 0: "0", "1": "1", "2": "2", "0": "0"}
ORDERED = {"down", "min", "max", "max_increase", "max_decrease", "integer", "step", "origin"}  # the keys of costs for numbers
UNLIMITED = 1 << 26  # values that the command takes unless it is told otherwise
Box = Mapping[Hashable, Sequence[float]]


TARGETS = {"above": "target=output:", "change": "target=change:", "target": "target=label:"}  # the values of --target, by argument


class Question:
    """The files and flags of one call of the command, in a private folder that is removed when it ends. Labels go to the command as
    the numbers of their classes, and come back so; in pages that people read they are words."""

    def __init__(self, model: Any, vote: str | None = None, words: bool = False, checked: bool = False):
        """checked: the model is written as checkers of proofs read it, and not in the form that is read soonest."""
        self.holder = tempfile.TemporaryDirectory(prefix="facet-")
        self.folder = self.holder.name
        self.flags: dict[str, str] = {}
        self.about_rows: Rows | None = None
        self.named: dict[str, str] = {}  # the names in sentences of files that nobody has named
        self.others: list[str] = []  # flags that are given more than once
        try:
            self.subject = save(model, self.folder, vote, arrays=not checked)
        except BaseException:
            self.holder.cleanup()
            raise
        folder, name = os.path.split(self.subject.path)
        self.flags["model"] = name if folder == self.folder else self.subject.path  # sentences name it
        self.spelled: list[str] = []  # the labels of the classes, for the command
        if self.subject.classes is not None:
            self.spelled = [str(label) for label in (self.subject.classes.tolist() if words else range(len(self.subject.classes)))]
            cells = io.StringIO()
            csv.writer(cells, lineterminator="").writerow(self.spelled)
            self.flags["classes"] = cells.getvalue()

    def __enter__(self) -> Question:
        return self

    def __exit__(self, *_: object) -> None:
        self.holder.cleanup()

    def at(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def about(
        self, X: Any, norm: Any, n_jobs: int | None, timeout: float | None, domain: Box | Sequence[float] | None, costs: Mapping | None,
        scale: Any = None, target: Any = None, above: float | None = None, change: float | None = None, whole: bool = True,
    ) -> Rows:
        """Writes a question about rows, and returns them."""
        self.number(above, change)
        rows = self.rows(X)
        self.measure(norm, scale, n_jobs, timeout)
        self.box(domain, rows, "domain")
        self.costs(costs, rows, whole)
        self.target(target)
        return rows

    def rows(self, X: Any) -> Rows:
        """Writes the rows in question."""
        before, self.subject = self.subject, learned(self.subject, X)
        if self.subject.path != before.path:
            self.flags["model"] = os.path.basename(self.subject.path)
        rows = self.about_rows = Rows(X, self.subject)
        rows.ask_live()
        rows.write(self.at("X.npy"))
        self.flags["test"] = "X.npy"
        self.flags["max-values"] = str(max(UNLIMITED, 4 * rows.matrix.size))
        if np.isnan(rows.matrix).any():
            self.flags["missing"] = "keep"
        rows.forget()
        return rows

    def also(self, others: Any, target: Any, X: Any) -> None:
        """Writes the other models that are to accept answers, too, each with its label."""
        for i, other in enumerate(others if isinstance(others, list) else [] if others is None else [others], 1):
            if isinstance(other, tuple) and len(other) == 2 and isinstance(other[1], list):
                least, models = other
                if least not in range(1, len(models) + 1):
                    raise FacetError(f"also asks that at least {least!r} of {len(models)} models accept, where at least 1 and at most all can")
                some = [self.other(each, target, X, f"also-{i}-{j}") for j, each in enumerate(models, 1)]
                if unclear := [text for text in some if ", " in text]:
                    raise FacetError(f"also has {unclear[0]!r} among several models, of which neither path nor label may have a comma and a space")
                self.others.append(f"--also={least:d} of {', '.join(some)}")
            else:
                self.others.append(f"--also={self.other(other, target, X, f'also-{i}')}")

    def other(self, other: Any, target: Any, X: Any, name: str) -> str:
        """Writes another model, and returns its path and the label with which it accepts."""
        model, label = other if isinstance(other, tuple) and len(other) == 2 else (other, target)
        os.mkdir(self.at(name))
        subject = learned(save(model, self.at(name)), X)
        self.named[subject.path] = subject.name
        if label is None:
            raise FacetError(f"also has a {subject.name} without the label that is to be reached: pass (model, label), or target")
        if subject.regressor:
            return f"{subject.path}=output:{real('also', label)!r}"
        return f"{subject.path}={label if subject.classes is None else in_file(label, subject, 'also')}"

    def labels(self, y: Any, rows: Rows) -> None:
        """Writes their labels, or a regressor's outputs."""
        if "above" in self.flags:
            numbers = np.asarray(y, dtype=np.float64)
            np.save(self.at("y.npy"), numbers)
            self.flags["test-labels"] = "y.npy"
            return
        given = labels_of(self.subject.classes, y, rows)
        if self.spelled:
            given = [self.spelled[place] for place in given]
        with open(self.at("y.txt"), "w", encoding="utf-8") as f:
            f.writelines(f"{label}\n" for label in given)
        self.flags["test-labels"] = "y.txt"

    def measure(self, norm: Any, scale: Any = None, n_jobs: int | None = None, timeout: float | None = None) -> None:
        """Says how distances are measured, on how many cores, and for how long a row may be asked about."""
        self.flags["norm"] = norm_of(norm, "'inf', 1, 2 or 0")
        if (jobs := jobs_of(n_jobs)) is not None:
            self.flags["workers"] = str(jobs)
        if timeout is not None:
            seconds = real("timeout", timeout)
            if not seconds > 0:
                raise FacetError(f"timeout is {timeout!r}: it is a number of seconds above 0")
            if seconds < math.inf:
                self.flags["timeout"] = f"{max(1, int(seconds * 1e9))}ns"
        if scale is not None:
            reference = Rows(scale, self.subject, "scale")
            write_matrix(self.at("scale.npy"), ranges(reference), reference.names())
            self.flags.update(units="range", train="scale.npy")

    def box(self, box: Box | Sequence[float] | None, rows: Rows, what: str) -> None:
        """Says where answers may lie: between two numbers in all features, or as a mapping says of each."""
        if box is None:
            return
        if isinstance(box, pd.DataFrame):
            box = dict(zip(box.index, box.to_numpy().tolist()))
        if not isinstance(box, Mapping):
            many = isinstance(box, (list, np.ndarray)) and len(box) == len(rows.columns) and np.ndim(box[0]) == 1
            if not many and self.subject.slopes is not None:
                many, box = True, [box] * len(rows.columns)
            if not many:
                self.flags["domain"] = ",".join(ends_of(box, what, "all features"))
                return
            box = dict(zip(rows.names() or range(len(rows.columns)), box))
        ends = [("-inf", "inf")] * len(rows.columns)
        for name, pair in box.items():
            at = rows.place(name, what)
            ends[at] = ends_of(pair, what, repr(name), rows.known.get(at))
        if self.subject.slopes is not None:
            rows.ends = np.array(ends, dtype=float).T
            ends = [tuple(repr(rows.value(at, float(end))) for end in pair) for at, pair in enumerate(ends)]
        with open(self.at("domain.csv"), "w", newline="") as f:
            csv.writer(f).writerows(ends)
        self.flags["domain"] = "domain.csv"

    def costs(self, costs: Mapping | None, rows: Rows, whole: bool = False) -> None:
        """Writes prices and rules. If the model's cells are boxes, a column of booleans keeps its two values, and with whole one of whole
        numbers stays one."""
        if costs is not None and not isinstance(costs, Mapping):
            raise FacetError(f"costs is {str(costs)[:40]!r}: pass rules by feature, such as {{'age': {{'frozen': True}}}}")
        file = dict(costs) if costs is not None and set(costs) <= {"features", "groups", "linear", "//"} else {"features": dict(costs or {})}
        names = rows.names() or [str(i) for i in range(len(rows.columns))]
        said = {names[rows.place(name, "costs")]: dict(rule) if isinstance(rule, Mapping) else rule for name, rule in file.get("features", {}).items()}
        groups = [{**group, "members": [names[rows.place(m, "costs")] for m in group.get("members", [])]} for group in file.get("groups", [])]
        grouped = {member for group in groups for member in group["members"]}
        if self.subject.trees:
            for at in rows.booleans:
                if names[at] not in grouped:
                    said[names[at]] = {"integer": True, "min": 0, "max": 1, **said.get(names[at], {})}
            numbers = self.subject.library == "" and self.subject.live is not None  # of scikit-learn: other models may take whole numbers for codes
            for at, limits in rows.integers.items() if whole and numbers else ():
                if names[at] not in grouped and isinstance(rule := said.get(names[at], {}), Mapping) and not rule.get("categorical"):
                    said[names[at]] = rule = dict(rule) if rule.get("frozen") else {"integer": True, **limits, **rule}
                    if rule.get("integer") or rule.get("frozen"):
                        rows.whole.add(at)
        for at, known in rows.known.items():
            self.categorical(names[at], said.get(names[at]))
            if names[at] in grouped and len(known) > 2:
                raise FacetError(f"costs has {names[at]!r} in a group, a category of its own: members of a group are columns of 0 and 1")
        if self.subject.slopes is not None:
            if file.get("linear") or groups:
                raise FacetError("costs has rules between features, or groups of them, which are not asked of neighbours after scalers")
            said = {name: self.scaled(said.get(name, {}), at, name, rows) for at, name in enumerate(names)}
        if costs is None and not said:
            return
        with open(self.at("costs.json"), "w", encoding="utf-8") as f:
            json.dump(plain({**file, "features": said, "groups": groups}), f)
        self.flags["costs"] = "costs.json"

    def scaled(self, rule: Any, at: int, name: str, rows: Rows) -> Any:
        """Returns a rule about a feature for its values after the scalers: its price is that of a unit before them, or of its range."""
        if not isinstance(rule, Mapping):
            return rule
        rule, slope = dict(rule), float(self.subject.slopes[at])
        for key in ("max_increase", "max_decrease"):
            if key in rule:
                rule[key] = real(f"costs of {name!r}: {key!r}", rule[key]) * slope
        for key in ("min", "max"):
            if key in rule:
                rule[key] = rows.value(at, real(f"costs of {name!r}: {key!r}", rule[key]))
        if "units" not in self.flags and not rule.get("frozen"):
            rule.update({way: real(f"costs of {name!r}: {way!r}", rule.get(way, 1)) / slope for way in ("up", "down")})
        return rule

    def categorical(self, name: str, rule: Any) -> None:
        """Refuses rules about the codes of a category, which the rows have words for."""
        for key in set(rule) & ORDERED if isinstance(rule, Mapping) else ():
            raise FacetError(f"costs says {key!r} of {name!r}, a category, which knows no order: it has one price, 'up', and may be 'frozen'")

    def target(self, target: Any) -> None:
        """Says which label to reach."""
        classes = self.subject.classes
        if target is None:
            return
        if classes is None:
            self.flags["target"] = str(target)
            return
        place = next((i for i, label in enumerate(classes.tolist()) if np.ndim(target) == 0 and label == target), None)
        if place is None:
            raise FacetError(f"target is {target!r}, which is none of the labels of the model: {listed(classes.tolist())}")
        self.flags["target"] = self.spelled[place]

    def number(self, above: float | None, change: float | None = None) -> None:
        """Writes the question about a regressor."""
        if self.subject.regressor and above is None and change is None:
            raise FacetError(f"{self.subject.name} predicts numbers, not labels: say above=t, to ask when they reach t, or change=d of attack")
        for name, value in (("above", above), ("change", change)):
            if value is not None:
                if self.subject.classes is not None and not self.subject.regressor:
                    raise FacetError(f"{self.subject.name} predicts labels: {name} is asked of regressors")
                self.flags[name] = repr(real(name, value))
                self.subject.classes = None
                self.flags.pop("classes", None)

    def ask(self, command: str, line: Callable[[bytes], None] | None = None, first: Sequence[str] = (), fine: tuple[int, ...] = (0,), **more: str) -> list[bytes]:
        """Runs the command."""
        flags = {**self.flags, **{name.replace("_", "-"): value for name, value in more.items()}}
        return run([command, *first, *self.others, *(f"--{TARGETS.get(name, name + '=')}{value}" for name, value in flags.items())], self.folder, line, fine, self.worded)

    def worded(self, text: str) -> str:
        """Returns a sentence of the command in words of Python."""
        for path, name in self.named.items():
            text = text.replace(path, name)
        rows = self.about_rows
        return worded_for_python(text, self.subject.name, *(() if rows is None else (rows.columns, rows.index)))

    def label(self, said: Any) -> Any:
        """Returns a label that the command printed."""
        if said is None or self.subject.classes is None or not isinstance(said, (int, float)):
            return said
        return self.subject.classes[int(said)]

    def labels_said(self, said: list) -> Any:
        """Returns a column of labels that the command printed."""
        if self.subject.classes is None:
            return np.array(said) if None not in said else np.array(said, dtype=object)
        return as_labels(self.subject.classes, np.array([-1 if label is None else int(label) for label in said]))


def ranges(rows: Rows) -> np.ndarray:
    """Returns the smallest and the largest value of each feature, 2 × features: 0 of one that is always missing."""
    there = ~np.isnan(rows.matrix)
    ends = [end(rows.matrix, axis=0, initial=start, where=there) for end, start in ((np.min, math.inf), (np.max, -math.inf))]
    return np.where(there.any(axis=0), ends, 0)


def beside_proofs(proofs: str | os.PathLike) -> str:
    """Returns the path of the model that is written beside proofs if checkers do not read the one that they are about."""
    return os.path.abspath(proofs).removesuffix(".gz") + ".model.json"


def learned(subject: Subject, X: Any) -> Subject:
    """Returns a model that knows the words of its categories that the rows hold, if its file has none."""
    if subject.with_words is None:
        return subject
    frame, named = as_frame(X, "X")
    names = subject.names
    if named and names is not None and set(names) <= set(map(str, frame.columns)):
        frame = frame.set_axis([str(c) for c in frame.columns], axis=1)[names]
    numbers = frame.shape[1] == subject.dim and all(pd.api.types.is_numeric_dtype(frame.dtypes.iloc[at]) for at in subject.hashed)
    return subject if numbers or frame.shape[1] != subject.dim else subject.with_words(frame)


def in_file(label: Any, subject: Subject, what: str) -> str:
    """Returns a label of a model as its file has it."""
    known = [] if subject.classes is None else subject.classes.tolist()
    if label not in known:
        raise FacetError(f"{what} is {label!r}, which is none of the labels of the {'model' if what == 'label' else subject.name}: {listed(known)}")
    return str(known.index(label) if subject.library == "lightgbm" else label)


def jobs_of(n_jobs: Any) -> int | None:
    """Returns how many cores n_jobs of scikit-learn says; None for all."""
    if n_jobs in (None, -1):
        return None
    try:
        jobs = operator.index(n_jobs)
    except TypeError:
        jobs = 0
    if jobs == 0:
        raise FacetError(f"n_jobs is {n_jobs!r}: it is a number of cores from 1, or -1 for all of them")
    return jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)


def ends_of(pair: Any, what: str, of: str, known: list | None = None) -> tuple[str, str]:
    """Returns two numbers as the command takes them, or the code of a category that is to stay."""
    try:
        low, high = pair
        if known is None:
            low, high = float(low), float(high)
    except (TypeError, ValueError):
        raise FacetError(f"{what} says {pair!r} of {of}, where a smallest and a largest value are expected") from None
    if known is None:
        if not low <= high:
            raise FacetError(f"{what} says {pair!r} of {of}: no number lies between {low:g} and {high:g}")
        return repr(low), repr(high)
    if low != high or low not in known:
        raise FacetError(f"{what} says {pair!r} of {of}, a category, which knows no order: ({known[0]!r}, {known[0]!r}) is one of {listed(known)}")
    return (str(known.index(low)),) * 2


def norm_of(norm: Any, known: str) -> str:
    """Returns a norm as the command has it."""
    try:
        return NORMS[norm]
    except (KeyError, TypeError):
        raise FacetError(f"norm is {norm!r}: it is {known}") from None


def plain(value: Any) -> Any:
    """Returns a value that JSON can hold: numbers of NumPy as those of Python, infinite ones as words."""
    if isinstance(value, Mapping):
        return {str(key): plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple, set, np.ndarray, pd.Index)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


class Lines:
    """The command's answers about rows, as its lines come in."""

    def __init__(self, rows: Rows, *keys: str, examples: str | None = None):
        self.said: dict[str, list] = {key: [None] * len(rows.index) for key in keys}
        self.key, self.rows = examples, rows
        self.examples = np.full((len(rows.index), len(rows.columns)), np.nan) if examples else None

    def take(self, text: bytes) -> None:
        begin = text.find(b'"adversarial":[')
        end = text.find(b"]", begin)
        if begin >= 0 and b'"' not in text[begin + 15:end]:  # numbers that nobody asks for, and that take long
            text = text[:begin] + b'"adversarial":null' + text[end + 1:]
        line = json.loads(text)
        at = line["row"]
        for key, values in self.said.items():
            values[at] = line.get(key)
        if self.key is not None and line[self.key] is not None:
            self.examples[at] = self.rows.codes_said(line[self.key])

    def numbers(self, key: str, null: float) -> np.ndarray:
        return np.array([null if v is None else v for v in self.said[key]], dtype=float)

    def distances(self, key: str) -> np.ndarray:
        """Returns distances: infinite where there is no example, or none was found, and NaN for rows that were not asked about."""
        asked = ~np.isin(self.said["status"], ["misclassified", "reached"])
        return np.where(asked, self.numbers(key, math.inf), math.nan)


def attack(
    model: Any, X: Any, *, norm: Any = "inf", costs: Mapping | None = None, domain: Box | Sequence[float] | None = None, target: Any = None,
    scale: Any = None, above: float | None = None, change: float | None = None, vote: str | None = None, timeout: float | None = None,
    n_jobs: int | None = None, proofs: str | os.PathLike | None = None, progress: bool | None = None, also: Any = None, margin: float = 0,
) -> pd.DataFrame:
    """Finds the nearest input with another label for each row, and proves that none is nearer.

    model: a fitted model of scikit-learn, XGBoost, LightGBM or CatBoost, or a pipeline of scikit-learn that scales, bins or chooses features or
        encodes categories before one of trees, or scales features before neighbours, an onnx.ModelProto, or the path of a file of one.
    X: rows × features, a DataFrame, whose columns are matched by name, or an array, in the units that the model takes.
    norm: of distances, "inf", 1, 2 or 0, the number of features that change.
    costs: prices and rules of moves by feature, such as {"age": {"frozen": True}, "income": {"down": "inf", "up": 2}}, or with the
        keys "features", "groups" and "linear" as in docs/use/costs.md. A column of booleans keeps its two values anyhow, one of categories
        those, and of models of scikit-learn one of whole numbers, of a data frame, stays whole ({"age": {"integer": False}} lets it go anywhere),
        all but the last with proofs, too.
    domain: where answers may lie: (lo, hi) for all features, or {feature: (lo, hi)}.
    target: the label to reach; by default any other than the predicted one.
    scale: rows, those of the training say, whose range in each feature is the unit of distances; by default that is the unit of X.
    vote: "logistic", of one sum for label 1, or "softmax", of one for each class: of a model trained with an objective of one's own, which
        does not say how its sums make a label.
    above, change: of a regressor, either asks when its output reaches a number, or when it differs by more than one from that of the row.
    timeout: seconds for a row, of which the status is then "limit": bound ≤ the least distance ≤ distance.
    n_jobs: rows that are asked about at a time: None or -1, one for each core; -2, one for each but one.
    proofs: the path of a file for proofs, which facet_robust.check replays.
    progress: whether tqdm shows a bar; by default on terminals and in notebooks.
    also: a list of other models of trees that are to give the answer a label, too: that of target, or (model, label), or (regressor, least output).
        An answer that models trained on other samples agree on outlasts the next training. (3, [model, …]) in the list asks that at least three
        of those models accept.
    margin: of neighbours, by which part of its distance an example may be farther where the model itself denies it. The nearest example lies
        where neighbours are equally far, and the model's own rounding decides which it takes; 1e-6 moves nearly all of them off.

    Returns a DataFrame with the index of X: predicted, distance and bound (in the units of X, of scale or of costs; infinite where no
    input has another label), status ("optimal", "limit", "none": proven that there is none, "coarse": float64 is too
    coarse for an example at the bound, or "reached": the row is predicted the target), adversarial_label, of
    a regressor output and adversarial_output, and adv_<feature> for each feature, which are missing where there is no example.
    """
    with Question(model, vote, checked=proofs is not None) as q:
        rows = q.about(X, norm, n_jobs, timeout, domain, costs, scale, target, above, change, proofs is None)
        q.also(also, target, X)
        part = margin_of(margin, q.subject, domain=domain, costs=costs)
        if proofs is not None:
            q.flags["proofs"] = os.path.abspath(proofs)
        keys = ("predicted", "distance", "bound", "status", "adversarial_label", "output", "adversarial_output")
        lines = asked(q, "attack", rows, progress, Lines(rows, *keys), examples="examples.npy")
        if proofs is not None and q.subject.hashed and q.subject.words and above is None:  # the words are those of the rows
            shutil.copy(q.subject.path, beside_proofs(proofs))
        table: dict[str, Any] = {
            "predicted": q.labels_said(lines.said["predicted"]), "distance": lines.distances("distance"), "bound": lines.distances("bound"),
            "status": lines.said["status"], "adversarial_label": q.labels_said(lines.said["adversarial_label"]),
        }
        if above is not None or change is not None:
            table.update({key: lines.numbers(key, math.nan) for key in ("output", "adversarial_output")})
        examples = rows.unscaled(np.load(q.at("examples.npy")), table["adversarial_label"])
        if part > 0:
            examples, moved = rows.beyond(examples, table["adversarial_label"], part)
            table["distance"][moved] *= 1 + part * (q.flags["norm"] != "0")
        table.update(rows.restored(examples, "adv_"))
        return pd.DataFrame(table, index=rows.index, copy=False)


def margin_of(margin: Any, subject: Subject, **others: Any) -> float:
    """Returns by which part of their distances examples may be farther."""
    part = distance("margin", margin)
    if part == 0 or subject.trees:  # between the leaves of trees no two inputs are equally far
        return 0
    for name, other in others.items():
        if other is not None:
            raise FacetError(f"margin moves examples on, where {name} may not let them go: pass one of the two")
    if subject.live is None:
        raise FacetError("margin asks the model itself about examples: pass the model, and not its file")
    return part


def asked(q: Question, command: str, rows: Rows, progress: bool | None, lines: Lines, **flags: str) -> Lines:
    """Asks about all rows."""
    with Progress(len(rows.index), progress) as bar:
        def line(text: bytes) -> None:
            lines.take(text)
            bar.step()
        q.ask(command, line, out="-", **flags)
    return lines


@dataclass
class Certified:
    """Which rows keep their label within radii, each answer proven."""

    rows: pd.DataFrame
    """With the index of X: label (only with y), predicted, status, and "robust at R" for each radius: True, False or missing (a limit)."""
    curve: pd.DataFrame
    """For each radius the share of rows that are classified correctly and proven robust, and of those that may be."""
    accuracy: float
    """The share of rows that are classified correctly; 1 without labels."""

    def plot(self, ax: Any = None) -> Any:
        """Draws both shares against the radius with matplotlib, and returns the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise FacetError("plot needs matplotlib: pip install matplotlib") from None
        ax = ax or plt.gca()
        radii = [0.0, *self.curve.index]
        certified, possible = ([self.accuracy, *self.curve[key]] for key in ("certified", "possible"))
        ax.plot(radii, certified, marker=".", label="certified")
        ax.fill_between(radii, certified, possible, alpha=0.3, label="possible")
        ax.set(xlabel="radius", ylabel="share of rows", ylim=(0, 1.02))
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        return self.curve._repr_html_()


def certify(
    model: Any, X: Any, y: Any = None, radius: float | Sequence[float] = (0.05,), *, norm: Any = "inf", costs: Mapping | None = None,
    domain: Box | Sequence[float] | None = None, scale: Any = None, above: float | None = None, vote: str | None = None, timeout: float | None = None,
    n_jobs: int | None = None, progress: bool | None = None,
) -> Certified:
    """Proves for each row and radius that all inputs at distance ≤ radius have its label, or finds one that has not.

    y: the labels of the rows, as many as X has; without them the predicted ones count as right. Of a regressor, the outputs.
    radius: one or several, in the units of distances. The other arguments are those of attack.
    """
    radii = sorted({distance("radius", r) for r in np.ravel(radius).tolist()})  # as the command has them
    with Question(model, vote) as q:
        rows = q.about(X, norm, n_jobs, timeout, domain, costs, scale, above=above)
        if y is not None:
            q.labels(y, rows)
        lines = asked(q, "certify", rows, progress, Lines(rows, "predicted", "status", "robust"), radius=",".join(map(repr, radii)))
        table: dict[str, Any] = {} if y is None else {"label": np.ravel(np.asarray(y))}
        table.update(predicted=q.labels_said(lines.said["predicted"]), status=lines.said["status"])
        right = np.array(lines.said["status"]) != "misclassified"
        certified, possible = [], []
        for i, r in enumerate(radii):
            said = np.array([None if robust is None else robust[i] for robust in lines.said["robust"]], dtype=object)
            certified.append(float((said == "yes").mean()))
            possible.append(float((right & (said != "no")).mean()))
            table[f"robust at {r}"] = pd.array([{"yes": True, "no": False}.get(s, pd.NA) for s in said], dtype="boolean")
        curve = pd.DataFrame({"certified": certified, "possible": possible}, index=pd.Index(radii, name="radius"))
        return Certified(pd.DataFrame(table, index=rows.index), curve, float(right.mean()))


def counterfactuals(
    model: Any, X: Any, n: int = 3, *, norm: Any = 1, costs: Mapping | None = None, domain: Box | Sequence[float] | None = None, target: Any = None,
    scale: Any = None, above: float | None = None, vote: str | None = None, timeout: float | None = None, n_jobs: int | None = None,
    progress: bool | None = None, also: Any = None,
) -> pd.DataFrame:
    """Finds up to n ways for each row to another label, each the cheapest of those that change other features than the ones before.

    The arguments are those of attack; norm is 1 by default, under which costs add up.

    Returns a long DataFrame, a line for each change: row (as the index of X has it), rank (from 1, the nearest first), label, distance,
    optimal (proven to be nearest), feature, from, to and cost. Numbers changed to are rounded outwards, and lead to the label, too.
    """
    with Question(model, vote) as q:
        rows = q.about(X, norm, n_jobs, timeout, domain, costs, scale, target, above)
        q.also(also, target, X)
        lines = asked(q, "attack", rows, progress, Lines(rows, "counterfactuals"), counterfactuals=whole("n", n))
        found = []
        for at, ways in enumerate(lines.said["counterfactuals"]):
            for rank, way in enumerate(ways or [], 1):
                head = (rows.index[at], rank, q.label(way["label"]), way["distance"], way["optimal"])
                for change in way["changes"]:
                    found.append((*head, *rows.change(change["feature"], change["from"], change["to"], row=at), change["cost"]))
        return pd.DataFrame(found, columns=["row", "rank", "label", "distance", "optimal", "feature", "from", "to", "cost"])


def output_range(
    regressor: Any, box: Box | Sequence[float] | None = None, *, X: Any = None, radius: float | None = None, norm: Any = "inf",
    timeout: float | None = None, n_jobs: int | None = None, progress: bool | None = None,
) -> pd.DataFrame:
    """Finds the smallest and the largest output of a regressor in a box, or at distance ≤ radius of each row of X, and proves both.

    box: (lo, hi) for all features, or {feature: (lo, hi)}, or a DataFrame with the features in its index and two columns.

    Returns a DataFrame with a line for the box, or for each row: output (of the row), status ("proven", or "limit"), min and max, min_bound and
    max_bound (no output lies beyond), and min_<feature> and max_<feature>, inputs that have these outputs.
    """
    with Question(regressor) as q:
        if q.subject.classes is not None:
            raise FacetError(f"{q.subject.name} predicts labels: output_range is for regressors")
        if (X is None) != (radius is None):
            raise FacetError("X and radius go together: the outputs at distance ≤ radius of each row of X")
        if X is None and box is None:
            raise FacetError("say box, or X and radius: where the outputs are asked about")
        rows = q.rows(X) if X is not None else Rows(nothing(q.subject, box), q.subject, blank=True)
        q.measure(norm, None, n_jobs, timeout)
        q.box(box, rows, "box")
        if X is not None:
            q.flags["radius"] = repr(distance("radius", radius))
        else:
            q.flags.pop("norm")
        keys = ("output", "status", "min", "min_bound", "max", "max_bound")
        ends = [Lines(rows, *keys, examples=f"{end}_example") for end in ("min", "max")]
        with Progress(len(rows.index), progress) as bar:
            def line(text: bytes) -> None:
                text = text.replace(b'"row":null', b'"row":0')
                for end in ends:
                    end.take(text)
                bar.step()
            q.ask("range", line)
        table: dict[str, Any] = {"output": ends[0].numbers("output", math.nan), "status": ends[0].said["status"]}
        table.update({key: ends[0].numbers(key, math.nan) for key in keys[2:]})
        for end, name in zip(ends, ("min_", "max_")):
            table.update(rows.restored(end.examples, name))
        return pd.DataFrame(table, index=rows.index, copy=False)


def nothing(subject: Subject, box: Any) -> pd.DataFrame:
    """Returns a row that stands for the features of a model."""
    names = subject.names or (list(box) if isinstance(box, Mapping) and subject.dim is None else range(subject.dim or len(box)))
    return pd.DataFrame([[None] * len(names)], columns=names, index=["box"], dtype=object)
