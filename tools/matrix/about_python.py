"""The Python package: its answers are rows of the library, which predicts them as they come."""
import os

import numpy as np
import pandas as pd

import facet_robust
from facet_robust import FacetError

from . import about_rows
from . import asked as questions
from .about_pages import scaled
from .asked import Refusal, Rules, demand, question
from .command import without_paths


def asked(call, *arguments, **more):
    """Calls the package, and returns its answer, or raises its refusal."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*arguments, **more)
    except FacetError as e:
        raise Refusal(without_paths(str(e))) from None


def model(a):
    return a.given.live if a.given.live is not None else a.given.path


def above(a):
    return {"above": a.given.above} if a.given.above is not None else {}


def back(a, answer, prefix):
    """Returns the inputs of an answer as rows of the library."""
    frame = answer[[c for c in answer if str(c).startswith(prefix)]]
    if not isinstance(a.given.frame(a.rows), pd.DataFrame):
        return frame.to_numpy(float)
    like = a.given.frame(a.rows)
    frame = frame.set_axis(like.columns, axis=1)
    return frame.astype({c: like[c].dtype for c in like})


def codes(frame):
    """Returns rows of the library as a matrix."""
    if isinstance(frame, np.ndarray):
        return frame
    return np.column_stack([np.where(c.cat.codes < 0, np.nan, c.cat.codes) if isinstance(c.dtype, pd.CategoricalDtype) else numbers(c) for _, c in frame.items()])


def numbers(column):
    """Returns a column of numbers, or of words that say their codes."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.to_numpy(float)
    return column.astype(str).str.removeprefix("code ").to_numpy(float)


def attacked(a, rules, rows=None, **more):
    """Confirms facet_robust.attack."""
    g, rows = a.given, a.rows if rows is None else rows
    frame = g.frame(rows)
    answer = asked(facet_robust.attack, model(a), frame, norm=rules.norm, costs=rules.costs() if rules.features else None, **above(a), **more)
    own = g.said(rows)
    demand(list(answer.predicted.astype(str)) == list(own), f"predicted {list(answer.predicted)}, the library says {list(own)}")
    found = np.flatnonzero(np.isfinite(answer.distance))
    if len(found):
        near = back(a, answer.iloc[found], "adv_")
        now = g.said_of(near)
        demand(list(now) == list(answer.adversarial_label.iloc[found].astype(str)), f"examples {list(answer.adversarial_label.iloc[found])}, the library says {list(now)}")
        demand((now != own[found]).all(), "an example has the label of its row")
        cost = rules.price(rows[found], codes(near), g.codes)
        demand((np.abs(cost - answer.distance.iloc[found]) <= 1e-9 * np.maximum(1, cost)).all(), f"distances {list(answer.distance.iloc[found])}, examples lie at {list(cost)}")
    bounds = answer.bound.to_numpy(float)
    z, of = rules.around(g, rows, bounds, a.many, a.rng)
    if len(z):
        wrong = g.said(z) != own[of]
        demand(not wrong.any(), f"{wrong.sum()} of {len(z)} inputs within bounds have another label")
    return len(rows)


@question("Python", "attack")
def attack(a):
    return attacked(a, Rules("inf"))


@question("Python", "attack, scale")
def attack_scale(a):
    return attacked(a, scaled(a, Rules("inf")), scale=a.given.frame(a.given.x))


@question("Python", "attack, scale, prices, norm 1")
def attack_scale_prices(a):
    return attacked(a, scaled(a, Rules("1", about_rows.prices(a))), scale=a.given.frame(a.given.x))


@question("Python", "certify, scale")
def certify(a):
    g, rules = a.given, scaled(a, Rules("inf"))
    radii = [0.02, 0.1, 0.25]
    answer = asked(facet_robust.certify, model(a), g.frame(a.rows), radius=radii, scale=g.frame(g.x), **above(a))
    own = g.said(a.rows)
    yes = np.max([np.where(answer.rows[f"robust at {r}"].fillna(False), r, 0.0) for r in radii], 0)
    z, of = rules.around(g, a.rows, yes, a.many, a.rng)
    wrong = g.said(z) != own[of] if len(z) else np.zeros(0, bool)
    demand(not wrong.any(), f"{wrong.sum()} of {len(z)} inputs within certified radii have another label")
    return len(a.rows)


@question("Python", "explain, scale")
def explain(a):
    g = a.given
    frame = g.frame(a.rows)
    answer = asked(facet_robust.explain, model(a), frame, box=True, timeout=questions.LIMIT, scale=g.frame(g.x), **above(a))
    demand(list(answer.predicted.astype(str)) == list(g.said(a.rows)), "labels differ from the library's")
    from .about_reasons import forced
    from .asked import side

    names = [str(c) for c in frame.columns] if isinstance(frame, pd.DataFrame) else [str(f) for f in range(g.dim)]
    found = [(i, [names.index(str(f)) for f in reason]) for i, reason in enumerate(answer.reason) if reason is not None]
    labels = side(a)
    forced(a, Rules("inf"), found, labels, labels(a.rows)[0])
    return len(a.rows)


@question("Python", "counterfactuals, scale")
def counterfactuals(a):
    g = a.given
    frame = g.frame(a.rows)
    answer = asked(facet_robust.counterfactuals, model(a), frame, n=2, scale=g.frame(g.x), **above(a))
    names = [str(c) for c in frame.columns] if isinstance(frame, pd.DataFrame) else [str(f) for f in range(g.dim)]
    rows = []
    for (row, _), way in answer.groupby(["row", "rank"]):
        z = a.rows[row].copy()
        for feature, to in zip(way.feature, way["to"]):
            z[names.index(str(feature))] = np.nan if pd.isna(to) else float(str(to).removeprefix("code "))
        rows.append((z, str(way.label.iloc[0])))
    if rows:
        now = g.said(np.array([z for z, _ in rows]))
        demand(list(now) == [label for _, label in rows], "a way leads to another label than it is said to")
    return len(a.rows)


@question("Python", "verify, scale, near")
def verify(a):
    g, f = a.given, a.given.numbers[0]
    inside = {c: (lo, hi) for c, lo, hi in zip(range(g.dim), np.nanmin(g.x, 0).tolist(), np.nanmax(g.x, 0).tolist()) if c not in g.codes}
    name = str(f) if isinstance(g.frame(a.rows), pd.DataFrame) else f
    answer = asked(facet_robust.verify, model(a), ignores=[name], domain=inside, near=g.frame(a.rows), within=0.05, scale=g.frame(g.x)).iloc[0]
    if answer.holds is not pd.NA and not answer.holds and g.above is None:
        shown = answer if answer.changing is None else answer.changing
        pair = [pd.DataFrame([shown[key]]) for key in ("x", "other")]
        if not isinstance(g.frame(a.rows), pd.DataFrame):
            pair = [p.to_numpy(float) for p in pair]
        else:
            like = g.frame(a.rows)
            pair = [p.set_axis(like.columns, axis=1).astype({c: like[c].dtype for c in like}) for p in pair]
        demand(g.said_of(pair[0])[0] != g.said_of(pair[1])[0], f"the pair {shown['x']}, {shown['other']} has one label")
    return len(a.rows)


@question("Python", "rows with missing values")
def missing(a):
    rows = a.rows.copy()
    rows[::3, a.given.numbers[0]] = np.nan
    return attacked(a, Rules("inf"), rows)


@question("Python", "report, proofs and check")
def report(a):
    g = a.given
    text = asked(facet_robust.report, model(a), g.frame(a.rows), **above(a)).html
    demand("<table" in text, "the page has no table")
    path = os.path.join(a.folder, "python.gz")
    answer = asked(facet_robust.attack, model(a), g.frame(a.rows), proofs=path, **above(a))
    said = asked(facet_robust.check, path, model(a), **above(a))
    demand(str((answer.bound > 0).sum()) in said, said)
    return len(a.rows)
