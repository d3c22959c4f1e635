"""Why rows have their labels, and properties of all inputs."""
from __future__ import annotations

import csv
import io
import json
import math
import os
from typing import Any, Hashable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from .command import FacetError, Progress
from .models import Subject, save
from .questions import Box, Question, in_file, learned, nothing
from .rows import Rows, distance, real, whole


def explain(
    model: Any, X: Any, *, smallest: bool = False, reasons: int = 1, box: bool = False, norm: Any = "inf", costs: Mapping | None = None,
    domain: Box | Sequence[float] | None = None, scale: Any = None, above: float | None = None, vote: str | None = None, timeout: float | None = None, n_jobs: int | None = None,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Finds for each row a reason for its label: features that force it, for all values of the others.

    smallest: of all reasons one of fewest features. reasons: how many to find for a row. box: intervals within which no move changes the
    label, too. domain, costs: the inputs that a reason is about, by default all. The other arguments are those of attack.

    Returns a DataFrame with the index of X: predicted, reason (features, or None if none was found), minimal (none of them can be left out),
    status ("optimal", "limit" or "none"), distance (of the nearest input with another label) and change (what that
    changes, by feature), and if asked for reasons, and box (by feature, (lowest, highest)).
    """
    with Question(model, vote) as q:
        q.number(above)
        rows = q.rows(X)
        q.measure(norm, scale, n_jobs, timeout)
        q.box(domain, rows, "domain")
        q.costs(costs, rows, whole=True)
        flags = {"reasons": whole("reasons", reasons), **{name: "true" for name, on in (("smallest", smallest), ("box", box)) if on}}
        said = []
        with Progress(len(rows.index), progress) as bar:
            def line(text: bytes) -> None:
                said.append(json.loads(text))
                bar.step()
            q.ask("explain", line, **flags)
        columns = dict(zip(rows.names() or map(str, range(len(rows.columns))), rows.columns))
        table: dict[str, Any] = {"predicted": q.labels_said([line["predicted"] for line in said])}
        table["reason"] = [line["reason"] and [columns[name] for name in line["reason"]] for line in said]
        for key in ("minimal", "status"):
            table[key] = [line[key] for line in said]
        table["distance"] = [math.inf if line["distance"] is None else line["distance"] for line in said]
        table["change"] = [{columns[name]: rows.change(name, "missing" if to is None else to)[1] for name, to in (line["change"] or {}).items()} for line in said]
        if reasons > 1:
            table["reasons"] = [[[columns[name] for name in reason] for reason in line.get("reasons") or []] for line in said]
        if box:
            table["box"] = [{columns[name]: rows.ends_before(name, ends(pair)) for name, pair in (line.get("box") or {}).items()} for line in said]
        return pd.DataFrame(table, index=rows.index)


def ends(pair: Sequence[float | None]) -> tuple[float, float]:
    """Returns the ends of an interval, infinite where there is none."""
    return (-math.inf if pair[0] is None else pair[0], math.inf if pair[1] is None else pair[1])


def verify(
    model: Any, *, ignores: Iterable[Hashable] = (), monotone: Mapping[Hashable, str] | None = None, same_as: Any = None, output_at_most: float | None = None,
    output_at_least: float | None = None, apart: float | Mapping[Hashable, float] | None = None, domain: Box | Sequence[float] | None = None, costs: Mapping | None = None,
    near: Any = None, within: float | Mapping[Hashable, float] | None = None, scale: Any = None, vote: str | None = None, timeout: float | None = None, n_jobs: int | None = None, label: Any = None,
) -> pd.DataFrame:
    """Proves a property of all inputs, or finds two inputs for which it does not.

    ignores: features on which decisions do not depend. monotone: {feature: "up" or "down"}: the output never falls, or never rises, as
    the feature rises. same_as: another model that decides everywhere as this one. output_at_most, output_at_least: limits of outputs.
    label: whose output counts, of more than two classes; by default all do. ignores and same_as of classifiers are about labels in any case.
    apart: by how much two values of a feature of ignores may differ, or {feature: by how much}, and others by any number.
    domain, costs: the inputs that are asked about, as in attack. near, within, scale: only inputs of which each feature is at distance ≤
    within of that of a row of near (or {feature: distance}, and others the same), in its units or in parts of the range that it has in the rows scale. vote: as in attack, of both models. timeout: seconds for a property.

    Returns a DataFrame with a line for each property: property, holds (missing where a limit left it open), status, difference (of the
    outputs of the two inputs found), bound (proven: no two differ by more), x and other (the inputs, by feature), labels, outputs, class
    (whose outputs these are, of more than two), label_changes, and changing: if these two have the same label and others have not, those,
    as a dict of the same.
    """
    with Question(model, vote) as q:
        q.flags.pop("classes", None)
        if near is not None:
            q.subject = learned(q.subject, near)
            q.flags["model"] = q.subject.path
        about = q.flags.pop("model")
        rows = Rows(nothing(q.subject, domain), q.subject, blank=True)
        rows.forget()
        if near is not None:
            given = Rows(near, q.subject, "near")
            given.write(q.at("near.npy"))
            q.flags["near"], rows = "near.npy", given.first()
        names = rows.names() or [str(i) for i in range(len(rows.columns))]
        asked = []
        if ignores := [ignores] if isinstance(ignores, (str, int)) else list(ignores):
            asked.append(f"--ignores={cells(names[rows.place(name, 'ignores')] for name in ignores)}")
        for name, way in monotone.items() if isinstance(monotone, Mapping) else zip(monotone or (), [None]):
            if way not in ("up", "down"):
                raise FacetError(f"monotone is {monotone!r}: pass \"up\" or \"down\" by feature, such as {{'age': 'up'}}")
            asked.append(f"--monotone={cells([names[rows.place(name, 'monotone')] + ':' + way])}")
        if same_as is not None:
            os.mkdir(q.at("other"))
            other = save(same_as, q.at("other"), vote)
            if not other.trees:
                raise FacetError(f"same_as is a {other.name}, of nearest neighbours: questions about all inputs are for trees")
            asked.append(f"--same-as={other.path}")
            q.named[other.path] = other.name
        for name, value in (("output_at_most", output_at_most), ("output_at_least", output_at_least)):
            if value is not None:
                asked.append(f"--{name.replace('_', '-')}={real(name, value)!r}")
        if not asked:
            raise FacetError("say what is to be proven: ignores, monotone, same_as, output_at_most or output_at_least")
        if label is not None:
            q.flags["target"] = in_file(label, q.subject, "label")
        q.measure("inf", None if near is None else scale, n_jobs, timeout)
        q.flags.pop("norm")
        q.box(domain, rows, "domain")
        q.costs(costs, rows)
        for flag, name, most in (("radius", "within", within), ("apart", "apart", apart)):
            if isinstance(most, Mapping):
                q.flags[flag] = cells(f"{names[rows.place(feature, name)]}:{tolerance(name, feature, d)!r}" for feature, d in most.items())
            elif most is not None:
                q.flags[flag] = repr(distance(name, most))
            q.named[f"--{flag}"] = name
        lines = [json.loads(text) for text in q.ask("verify", first=(about, *asked), fine=(0, 1, 4), out="-")]
        for pair in [*lines, *(line["changing"] for line in lines if line["changing"])]:
            pair["x"], pair["other"] = as_row(pair["x"], rows), as_row(pair["other"], rows)
            pair["labels"] = pair["labels"] and [named(label, q.subject) for label in pair["labels"]]
            pair["class"] = named(pair["class"], q.subject)
        table = {key: [line[key] for line in lines] for key in (
            "property", "holds", "status", "difference", "bound", "x", "other", "labels", "outputs", "class", "label_changes", "changing")}
        if same_as is not None:
            table["property"] = [name.replace(other.path, other.name) for name in table["property"]]
        table["holds"] = pd.array(table["holds"], dtype="boolean")
        return pd.DataFrame(table)


def tolerance(name: str, feature: Hashable, given: Any) -> float:
    """Returns how far a feature may be: a number from 0, or infinity."""
    most = real(f"{name}[{feature!r}]", given)
    if not most >= 0:
        raise FacetError(f"{name}[{feature!r}] is {given!r}: it is a distance from 0")
    return most


def cells(names: Iterable[str]) -> str:
    """Returns names as a flag takes them: those with commas in quotes."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(list(names))
    return text.getvalue()


def as_row(values: list | None, rows: Rows) -> dict | None:
    """Returns an input by its features."""
    if values is None:
        return None
    matrix = np.array([rows.codes_said(values)], dtype=float)
    return {column: held.tolist()[0] for column, held in rows.restored(matrix, "").items()}


def named(label: Any, subject: Subject) -> Any:
    """Returns a label that a file lists, or of which it has the number, as the model has it."""
    if subject.classes is None or label is None:
        return label
    known = subject.classes.tolist()
    if subject.library == "lightgbm":  # whose files number classes
        return known[int(label)]
    return next((c for c in known if str(c) == str(label) or c == label), label)
