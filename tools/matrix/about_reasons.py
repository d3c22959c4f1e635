"""Why rows have their labels: reasons, smallest ones, boxes."""
import itertools

import numpy as np

from .about_predictions import probability
from .about_rows import box
from .asked import Rules, Wrong, confirm, demand, question, shown, side


def forced(a, rules, reasons, labels, own):
    """Confirms that inputs with the values of rows in the features of their reasons have their labels."""
    at = np.repeat(np.array([row for row, _ in reasons], int), a.many)
    loose = np.ones((len(at), a.given.dim), bool)
    for i, (_, reason) in enumerate(reasons):
        loose[i * a.many:(i + 1) * a.many, reason] = False
    z, of = rules.anywhere(a.given, a.rows[at], a.rng, loose)
    same(a, z, at[of], labels, own, "the reason forces")


def same(a, z, at, labels, own, what):
    if not len(z):
        return
    now, sure = labels(z)
    wrong = sure & (now != own[at])
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise Wrong(f"{what} the label of row {shown(a.rows[at[i]])}, {own[at[i]]}: {shown(z[i])} is {now[i]}")


def explain(a, rules, *flags, labels=None):
    labels = labels or side(a)
    own, sure = labels(a.rows)
    said = a.lines("explain", *flags, *rules.ask(a.folder))
    for line in said:
        if sure[line["row"]]:
            demand(str(line["predicted"]) == own[line["row"]], f"row {shown(a.rows[line['row']])} is said to be {line['predicted']}, the library says {own[line['row']]}")
    found = [(line["row"], [int(name) for name in line["reason"]]) for line in said if line["reason"] is not None]
    forced(a, rules, found, labels, own)
    return said, found, labels, own


def needed(a, rules, subsets, flags, labels=None):
    """Confirms that none of the sets of features that are asked about forces the label: an example that the library confirms keeps each."""
    for features in sorted({subset for _, subset in subsets}):
        fixed = rules.frozen(features)
        rows = [row for row, subset in subsets if subset == features]
        lines = a.lines("attack", "--out=-", *flags, *fixed.ask(a.folder))
        confirm(a, lines, fixed, labels=labels)
        for line in lines:
            demand(line["row"] not in rows or line["adversarial"] is not None, f"features {features} force the label of row {shown(a.rows[line['row']])}, which is said to need more")


@question("Reasons", "reasons")
def reasons(a):
    said, found, _, _ = explain(a, Rules("inf"), *a.given.flags, "--reasons=2")
    others = [(line["row"], [int(name) for name in reason]) for line in said for reason in line["reasons"] or []]
    labels = side(a)
    forced(a, Rules("inf"), others, labels, labels(a.rows)[0])
    return len(said)


@question("Reasons", "reasons that are minimal, domain, frozen")
def minimal(a):
    rules = Rules("inf", {a.given.numbers[0]: {"frozen": True}}, **box(a, 0))
    said, found, _, _ = explain(a, rules, *a.given.flags)
    proven = {line["row"] for line in said if line["minimal"]}
    less = [(row, tuple(f for f in reason if f != out)) for row, reason in found if row in proven for out in reason]
    needed(a, rules, less, a.given.flags)
    return len(said)


@question("Reasons", "smallest reasons")
def smallest(a):
    rules = Rules("inf")
    said, found, _, _ = explain(a, rules, *a.given.flags, "--smallest")
    proven = {line["row"] for line in said if line["smallest"]}
    free = range(a.given.dim)
    less = [(row, subset) for row, reason in found if row in proven and reason for subset in itertools.combinations(free, len(reason) - 1)]
    needed(a, rules, less, a.given.flags)
    return len(said)


@question("Reasons", "boxes")
def boxes(a):
    return boxed(a, Rules("inf"), a.given.flags)


@question("Reasons", "boxes, domain, steps")
def boxes_within(a):
    return boxed(a, Rules("inf", {a.given.numbers[0]: {"integer": True}}, **box(a, 0)), a.given.flags)


def boxed(a, rules, flags, labels=None):
    """Confirms that inputs of boxes, their corners among them, have the labels of their rows."""
    said, _, labels, own = explain(a, rules, "--box", *flags, labels=labels)
    for line in said:
        if line.get("box") is None:
            continue
        x = np.repeat(a.rows[line["row"]:line["row"] + 1], a.many, 0)
        fixed = {int(f) for f in line.get("fixed") or []}
        named = {int(f): ends for f, ends in line["box"].items()}
        free = rules.mended(a.given, x, rules.moved(a.given, x, np.full(len(x), 1e9), a.rng, None, None), a.rng)
        z = x.copy()
        for f in set(range(a.given.dim)) - fixed:
            if f not in named:
                z[:, f] = free[:, f]
                continue
            low, high = (end if end is not None else x[0, f] + way * 1e3 for end, way in zip(named[f], (-1, 1)))
            drawn = np.clip(a.rng.uniform(low, high, len(x)), low, high)
            z[:, f] = np.where(a.rng.random(len(x)) < 0.3, low, np.where(a.rng.random(len(x)) < 0.3, high, drawn))
            if rules.features.get(f, {}).get("integer"):
                z[:, f] = np.clip(np.round(z[:, f]), np.ceil(low), np.floor(high))
        fine = rules.allowed(x, z, a.given.codes)
        same(a, z[fine], np.full(fine.sum(), line["row"]), labels, own, "the box keeps")
    return len(said)


@question("Reasons", "reasons and boxes of a probability")
def of_probability(a):
    flags, labels = probability(a, max(a.given.classes - 1, 1))
    return boxed(a, Rules("inf"), flags, labels)
